//! `weir servers` and `weir call`: the gateway's servers from a shell.

use std::time::Duration;

use serde_json::{Value, json};
use weir_host::gateway::Gateway;
use weir_host::gateway::json::Json;
use weir_host::gateway::session::{Outgoing, Outlet, Session};
use weir_host::gateway::upstream::State;
use weir_host::gateway::wire::Request;

use super::Answer;
use super::args::{Call, Servers};
use super::console::Console;
use super::context::Context;
use super::report::Failure;
use super::serve::{Place, gate, runtime};

pub(crate) fn list(
    arguments: &Servers,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let place = Place::of(&arguments.upstreams, context)?;
    let config = place.config()?;
    let options = place.options(&config);
    let runtime = runtime()?;
    let gate = gate(context);
    let rows: Vec<Value> = runtime.block_on(async {
        let gateway = Gateway::new(config.servers, gate, options).map_err(|source| {
            Failure::Io { what: "cannot make the gateway's directory".into(), source }
        })?;
        let upstreams = gateway.upstreams();
        if arguments.check {
            let starts: Vec<_> = upstreams
                .iter()
                .map(|upstream| {
                    let upstream = std::sync::Arc::clone(upstream);
                    tokio::spawn(async move { upstream.live().await.map(drop) })
                })
                .collect();
            for start in starts {
                let _ = start.await;
            }
        }
        let mut rows = Vec::new();
        for upstream in upstreams.iter() {
            let known = upstream.known();
            let (state, reason) = match upstream.state() {
                State::Configured => ("configured", None),
                State::Known => ("known", None),
                State::Starting => ("starting", None),
                State::Ready => ("ready", None),
                State::Failed(reason) => ("failed", Some(reason)),
            };
            let tools: Vec<String> = known
                .iter()
                .flat_map(|known| &known.tools)
                .filter_map(|tool| tool.text_at(&["name"]))
                .filter(|name| upstream.spec.admits(name))
                .collect();
            rows.push(json!({
                "name": upstream.name(), "state": state, "reason": reason,
                "version": known.as_ref().map(|known| known.version.clone()), "tools": tools,
                "skippedLines": upstream.noise(),
            }));
        }
        gateway.shut_down().await;
        Ok::<_, Failure>(rows)
    })?;
    let mut rows = rows;
    rows.extend(config.broken.iter().map(
        |(name, reason)| json!({"name": name, "state": "broken", "reason": reason, "tools": []}),
    ));
    rows.extend(
        config
            .disabled
            .iter()
            .map(|name| json!({"name": name, "state": "disabled", "reason": null, "tools": []})),
    );
    let bad = rows.iter().any(|row| matches!(row["state"].as_str(), Some("failed" | "broken")));
    if console.json() {
        console.value(&Value::Array(rows))?;
    } else {
        let width = rows
            .iter()
            .filter_map(|row| row["name"].as_str())
            .map(|name| name.chars().count())
            .max()
            .unwrap_or(0);
        for row in &rows {
            let text = |key: &str| row[key].as_str().unwrap_or("").to_owned();
            let tools = row["tools"].as_array().map_or(0, Vec::len);
            console.line(format_args!(
                "{:width$}  {:10}  {:10}  {tools:4} tools  {}",
                text("name"),
                text("state"),
                text("version"),
                text("reason"),
            ))?;
            if arguments.tools {
                for tool in row["tools"].as_array().into_iter().flatten().filter_map(Value::as_str)
                {
                    console.line(format_args!("    {tool}"))?;
                }
            }
        }
    }
    Ok(if bad { Answer::No } else { Answer::Yes })
}

pub(crate) fn call(
    arguments: &Call,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let place = Place::of(&arguments.upstreams, context)?;
    if !serde_json::from_str::<Value>(&arguments.arguments).is_ok_and(|value| value.is_object()) {
        return Err(Failure::usage(
            "the arguments are not a JSON object",
            r#"write them like '{"path": "/tmp"}'"#,
        ));
    }
    let config = place.config()?;
    let mut options = place.options(&config);
    options.list_wait = Duration::from_secs(60);
    let runtime = runtime()?;
    let gate = gate(context);
    let params = json!({"name": arguments.tool});
    let answer = runtime.block_on(async {
        let gateway = Gateway::new(config.servers, gate, options).map_err(|source| {
            Failure::Io { what: "cannot make the gateway's directory".into(), source }
        })?;
        let (outlet, mut beside) = Outlet::new();
        tokio::spawn(async move { while beside.recv().await.is_some() {} });
        let session = Session::new("shell".into(), outlet.clone(), None);
        let params = Json::of(&params).with(&["arguments"], &arguments.arguments);
        let request =
            Request { id: Json::of(&1), method: "tools/call".into(), params: Some(params) };
        let answer = gateway.answer(&session, &outlet, request).await;
        gateway.shut_down().await;
        Ok::<_, Failure>(answer)
    })?;
    let text = match answer {
        Outgoing::Text(text) => text,
        Outgoing::Spooled { result, .. } => {
            result
                .copy_to(0, &mut |bytes| std::io::Write::write_all(console, bytes))
                .map_err(Failure::output)?;
            return Ok(Answer::Yes);
        }
    };
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    if let Some(error) = value.get("error") {
        return Err(Failure::usage(
            error["message"].as_str().unwrap_or("the call failed").to_owned(),
            "`weir servers --tools` lists the servers and their tools",
        ));
    }
    let result = &value["result"];
    if console.json() {
        console.value(result)?;
    } else {
        for block in result["content"].as_array().into_iter().flatten() {
            match block["text"].as_str() {
                Some(text) => console.line(text)?,
                None => console.line(block)?,
            }
        }
        if result["content"].as_array().is_none_or(Vec::is_empty)
            && !result["structuredContent"].is_null()
        {
            console.value(&result["structuredContent"])?;
        }
    }
    Ok(if result["isError"] == true { Answer::No } else { Answer::Yes })
}
