//! The example, with a process as the server.
#![cfg(unix)]

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[path = "../examples/relay.rs"]
#[expect(dead_code, reason = "a program has a main function")]
mod relay;

/// It answers at once with one file, and keeps what it is sent in another.
const SERVER: &str = r#"cat "$1"; cat > "$2""#;

#[tokio::test(flavor = "multi_thread")]
async fn what_both_sides_say_arrives_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let [answers, received] =
        ["answers", "received"].map(|name| folder.path().join(name).display().to_string());
    let odd = r#"{"z":1.10,"a":12345678901234567890123,"n":{"x" : [ 1 , 2 ]},"\u0061":"é\/"}"#;
    // More than is held in memory.
    let long = "text \\n\\ud83d\\ude00 ".repeat(400_000);
    let said = [
        format!(r#"{{"jsonrpc":"2.0","id":1,"result":{odd}}}"#),
        format!(r#"{{"jsonrpc":"2.0","method":"notifications/message","params":{odd}}}"#),
        format!(
            r#"{{"jsonrpc":"2.0","id":"x","result":{{"content":[{{"type":"text","text":"{long}"}}]}}}}"#
        ),
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":9,"method":"sampling/createMessage","params":{odd}}}"#),
    ]
    .join("\n")
        + "\n";
    let asked = [
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{odd}}}"#),
        r#"{"jsonrpc":"2.0","id":"x","method":"ping"}"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":9,"result":{odd}}}"#),
    ]
    .join("\n")
        + "\n";
    std::fs::write(&answers, &said).unwrap();
    let words = ["sh", "-c", SERVER, "sh", &answers, &received].map(str::to_owned);
    let (client, ours) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(ours);
    let relaying = tokio::spawn(async move { relay::relay(&words, input, output).await });
    let (mut hears, mut says) = tokio::io::split(client);
    says.write_all(asked.as_bytes()).await.unwrap();
    says.shutdown().await.unwrap();
    let mut heard = String::new();
    hears.read_to_string(&mut heard).await.unwrap();
    relaying.await.unwrap().unwrap();
    assert!(heard == said, "{}", &heard[..heard.len().min(1_000)]);
    assert_eq!(std::fs::read_to_string(received).unwrap(), asked);
}
