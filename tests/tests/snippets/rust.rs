use weir_host::Weir;
use weir_host::contract::{FinishedResult, Part};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let weir = Weir::open("weir-store")?;
    let line = |n| format!("{n}: {}\n", if n == 4321 { "error: disk is full" } else { "all is well" });
    let text: String = (1..=9000).map(line).collect();
    let shown = weir.transform(&FinishedResult::text("alice", "read_log", text))?;
    for part in &shown.parts {
        if let Part::Text(text) = part { println!("{text}") } // show the model this in place of the text
    }
    let tools = weir.result_tools()?; // show it these beside its own tools
    let id = &shown.handles[0].id; // the model reads the id in the excerpt
    let call = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "error:"}}"#); // and calls the tool with it
    println!("{}", weir.invoke("alice", &tools[0].name, &call)?.text);
    Ok(())
}
