//! The Rust host's part of `kits/timing.py`: timing COMPONENT SNAPSHOT STORE CACHE
//!
//! ```sh
//! cargo bench --package weir-host --bench timing --no-default-features --no-run   # prints where the program is
//! WEIR_TIMING_RUST=target/release/deps/timing-… python kits/timing.py
//! ```
#![allow(clippy::print_stdout, reason = "it is a command")]

#[cfg(unix)]
use unix::main;

#[cfg(not(unix))]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    Err("the clock of a process is that of Unix".into())
}

#[cfg(unix)]
mod unix {
    use rustix::time::{ClockId, clock_gettime};
    use serde_json::{Map, Value};
    use weir_host::contract::{Conversation, FinishedResult, Snapshot, ToolDefinition};
    use weir_host::{Catalog, ComponentSource, Weir};

    type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

    /// Milliseconds of CPU that this process has used, all its threads together.
    fn now() -> f64 {
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
    }

    /// Milliseconds of CPU: the first run, and the median of some after so many that warm up.
    fn measure(
        found: &mut Map<String, Value>,
        name: &str,
        (warm, times): (usize, usize),
        mut work: impl FnMut(usize) -> Result<()>,
    ) -> Result<()> {
        let start = now();
        work(0)?;
        found.insert(format!("{name} first"), (now() - start).into());
        for _ in 1..warm {
            work(0)?;
        }
        let mut took = Vec::with_capacity(times);
        for n in 0..times {
            let start = now();
            work(n + 1)?;
            took.push(now() - start);
        }
        took.sort_by(f64::total_cmp);
        found.insert(name.to_owned(), took[times / 2].into());
        Ok(())
    }

    /// The same text as the other hosts make.
    fn log_text(size: usize, turn: usize) -> String {
        let line = format!(
            "2026-01-02T03:04:05Z worker-{} INFO request served in 12 ms, all is well\n",
            (turn + 6) % 7
        );
        format!("turn {turn}\n{}", line.repeat(size / line.len()))
    }

    /// The tools of a snapshot as MCP lists them, as a host hands them over.
    fn tools(snapshot: &Value) -> Vec<ToolDefinition> {
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let text = |tool: &Value, key: &str| tool[key].as_str().map(str::to_owned);
        let mut tools = Vec::new();
        for server in list(&snapshot["servers"]) {
            let name = server["name"].as_str().unwrap_or_default();
            tools.extend(list(&server["tools"]).iter().map(|tool| ToolDefinition {
                name: text(tool, "name").unwrap_or_default(),
                title: text(tool, "title"),
                description: text(tool, "description").unwrap_or_default(),
                input_schema: tool["inputSchema"].to_string(),
                server: name.to_owned(),
                origin: "external".to_owned(),
                ..ToolDefinition::default()
            }));
        }
        tools
    }

    pub(super) fn main() -> Result<()> {
        let given: Vec<String> = std::env::args().skip(1).collect();
        let [component, snapshot, store, cache] = given.as_slice() else {
            return Err("COMPONENT SNAPSHOT STORE CACHE are needed".into());
        };
        let source = ComponentSource::File(component.into());
        let weir = Weir::builder().component(source).cache(cache).open(store)?;
        let snapshot: Value = serde_json::from_slice(&std::fs::read(snapshot)?)?;
        let mut found = Map::new();
        let result = |text: &str| FinishedResult::text("s", "t", text);

        let small = "all is well ".repeat(8);
        let show = |text: &str| weir.transform(&result(text)).map(drop).map_err(Into::into);
        measure(&mut found, "small", (1, 100), |_| show(&small))?;
        let mut last = String::new();
        for (name, size, warm) in
            [("transform 1 MB", 1_000_000, 20), ("transform 10 MB", 10_000_000, 3)]
        {
            let texts: Vec<String> = (0..6).map(|turn| log_text(size, turn)).collect();
            measure(&mut found, name, (warm, 5), |turn| show(&texts[turn]))?;
            last = weir.transform(&result(&texts[0]))?.handles[0].id.clone();
        }
        let call = format!(r#"{{"id": "{last}", "mode": "grep", "pattern": "nowhere"}}"#);
        let grep = |_| weir.invoke("s", "weir_fetch", &call).map(drop).map_err(Into::into);
        measure(&mut found, "grep 10 MB", (20, 5), grep)?;

        let mut catalog: Option<Catalog> = None;
        let build = |_| {
            let snapshot = Snapshot { tools: tools(&snapshot), servers: Vec::new() };
            catalog = Some(weir.catalog(snapshot)?);
            Ok(())
        };
        measure(&mut found, "catalog", (1, 3), build)?;
        let catalog = catalog.ok_or("there is a catalog")?;
        let query = r#"{"query": "open a pull request"}"#;
        let conversation = Conversation::default();
        let search =
            |_| catalog.invoke("tool_search", query, &conversation).map(drop).map_err(Into::into);
        measure(&mut found, "search", (20, 20), search)?;
        println!("{}", Value::Object(found));
        Ok(())
    }
}
