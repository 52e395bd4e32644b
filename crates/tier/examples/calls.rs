//! How long the calls take that a tier is made of: `calls s3://BUCKET/PREFIX`, with the variables of AWS.

use std::io::{self, Write};
use std::time::Instant;

use weir_tier::{Settings, TierError};

#[tokio::main]
async fn main() -> Result<(), TierError> {
    let url = std::env::args().nth(1).unwrap_or_default();
    let objects = Settings::at(&url).open()?;
    let mut out = io::stdout();
    let _ =
        writeln!(out, "| calls alone, milliseconds: median | put | create of 300 bytes | get |");
    let _ = writeln!(out, "| --- | --- | --- | --- |");
    for (name, bytes, times) in
        [("20 KB", 20_000, 40), ("1 MB", 1 << 20, 20), ("100 MB", 100 << 20, 3)]
    {
        let mut spent = [const { Vec::new() }; 3];
        for n in 0..times {
            let content = vec![n as u8; bytes];
            let file = std::env::temp_dir().join(format!("weir-calls-{}", std::process::id()));
            let here = |error: io::Error| -> TierError { panic!("{}: {error}", file.display()) };
            std::fs::write(&file, &content).map_err(here)?;
            let object = format!("blobs/{bytes}-{n}-{}", std::process::id());
            let start = Instant::now();
            objects.put(&object, &file).await?;
            spent[0].push(start.elapsed());
            let start = Instant::now();
            objects.create(&format!("refs/{object}"), &[b'x'; 300]).await?;
            spent[1].push(start.elapsed());
            let start = Instant::now();
            objects.get(&object, &mut io::sink()).await?;
            spent[2].push(start.elapsed());
            let _ = std::fs::remove_file(&file);
        }
        let median = |mut times: Vec<std::time::Duration>| {
            times.sort();
            times[times.len() / 2].as_secs_f64() * 1_000.0
        };
        let [put, create, get] = spent.map(median);
        let _ = writeln!(out, "| {name} | {put:.1} | {create:.1} | {get:.1} |");
    }
    Ok(())
}
