use weir_host::{Error, Weir, contract::FinishedResult};

/// What a model is shown of a log, and what it reads on of it.
fn read_log(log: String, arguments: &str) -> Result<[String; 2], Error> {
    let weir = Weir::open("weir-store")?;
    let shown = weir.show(&FinishedResult::text("alice", "read_log", log))?; // the text, or an excerpt
    let tools = weir.result_tools()?; // show the model these beside its own
    let answer = weir.invoke("alice", &tools[0].name, arguments)?; // whatever it sends gets an answer
    Ok([shown, answer.text])
}
