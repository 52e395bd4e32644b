//! What a component should not do, by name.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Write as _};

/// Reads `NAME` or `NAME ARGUMENT` from the file `/store/misdeed` and does that. What comes back, if
/// anything does, is written to `/store/answer`; then the function panics.
pub(crate) fn commit() -> ! {
    let order = fs::read_to_string("/store/misdeed").unwrap_or_default();
    let (name, argument) = order.split_once(' ').unwrap_or((&order, ""));
    match name {
        "loop" => loop {
            black_box(());
        },
        "recurse" => {
            black_box(recurse(0));
        }
        "allocate" => {
            let mut all = Vec::new();
            loop {
                all.push(black_box(vec![1_u8; 1 << 20]));
            }
        }
        "exit" => std::process::exit(0),
        "chatter" => loop {
            let _ = io::stderr().write_all("all work and no play ".repeat(50).as_bytes());
        },
        "hoard" => {
            for n in 0.. {
                std::mem::forget(File::create(format!("/store/hoard-{n}")));
            }
        }
        "read" => answer(fs::read_to_string(argument)),
        "list" => answer(fs::read_dir(argument).map(|entries| {
            let names = entries.flatten().map(|entry| entry.file_name());
            names.map(|name| name.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        })),
        "write" => answer(fs::write(argument, "written").map(|()| String::new())),
        "rename" => answer(fs::rename("/store/misdeed", argument).map(|()| String::new())),
        "link" => answer(fs::hard_link(argument, "/store/linked").map(|()| String::new())),
        "remove" => answer(fs::remove_file(argument).map(|()| String::new())),
        "environment" => answer(Ok(format!(
            "{:?} {:?}",
            std::env::vars().collect::<Vec<_>>(),
            std::env::args().collect::<Vec<_>>()
        ))),
        #[cfg(feature = "network")]
        "resolve" => {
            use std::net::ToSocketAddrs as _;
            answer((argument, 443).to_socket_addrs().map(|found| format!("{found:?}")));
        }
        #[cfg(feature = "sleep")]
        "sleep" => std::thread::sleep(std::time::Duration::from_secs(3_600)),
        _ => {}
    }
    panic!("the misdeed is done")
}

#[expect(unconditional_recursion, reason = "the stack is to end")]
fn recurse(depth: u64) -> u64 {
    let frame = black_box([depth; 16]);
    black_box(recurse(depth + 1)) + frame[7]
}

fn answer(result: io::Result<String>) {
    let text = match result {
        Ok(content) => format!("done: {content}"),
        Err(error) => format!("refused: {error}"),
    };
    let _ = fs::write("/store/answer", text);
}
