//! Takes what models write for what they mean, where that is plain: other names of arguments and
//! modes, ranges as one text, quotes around what needs none.

use serde_json::{Map, Value};

use crate::handle::Ids;

/// Names of arguments, and what models call them.
const NAMES: [(&str, &[&str]); 24] = [
    ("id", &["blob_id", "blob", "result_id", "result", "handle", "ref", "uri", "resource"]),
    ("mode", &["action", "command", "operation", "op", "method"]),
    (
        "start",
        &["offset", "start_line", "startline", "line_start", "from_line", "line", "begin", "first"],
    ),
    ("end", &["end_line", "endline", "line_end", "to_line", "to", "stop"]),
    ("count", &["n", "num", "num_lines", "n_lines", "line_count", "length", "size"]),
    ("limit", &["max_results", "maxresults", "max", "head_limit", "top_k", "num_results"]),
    ("max_matches", &["max_count", "maxmatches"]),
    (
        "pattern",
        &[
            "regexp",
            "re",
            "needle",
            "text",
            "term",
            "keyword",
            "search_term",
            "grep_pattern",
            "find",
        ],
    ),
    ("query", &["filter", "jq", "program", "expression", "expr", "jq_filter", "question", "q"]),
    ("by", &["group_by", "groupby", "group", "groupby_key"]),
    ("sort", &["sort_by", "order_by", "sortby", "orderby"]),
    ("where", &["having", "only_where"]),
    ("reduce", &["aggregate", "aggregation", "agg", "reducer"]),
    ("ignore_case", &["ignorecase", "case_insensitive", "-i", "i"]),
    ("before", &["-b", "before_context", "lines_before"]),
    ("after", &["-a", "after_context", "lines_after"]),
    ("context", &["-c", "context_lines", "surrounding"]),
    ("invert", &["invert_match", "-v", "not"]),
    ("case", &["flags"]),
    ("id", &["ids"]),
    ("pattern", &["patterns"]),
    ("word", &["whole_word", "word_regexp", "words", "-w"]),
    ("literal", &["fixed", "fixed_string", "fixed_strings", "plain", "-f"]),
    ("other", &["other_id", "old", "older", "base", "against", "compare_to", "previous", "with"]),
];

/// Modes, and what models call them.
const MODES: [(&str, &[&str]); 13] = [
    ("range", &["read", "view", "lines", "slice", "show", "cat", "get", "page", "fetch"]),
    ("grep", &["find", "rg", "regex", "match", "matches", "ripgrep", "egrep"]),
    ("query", &["jq", "filter", "select", "sql", "aggregate"]),
    ("outline", &["structure", "schema", "summary", "keys", "shape", "toc"]),
    ("stat", &["info", "meta", "metadata", "status", "size"]),
    ("head", &["first", "start", "top"]),
    ("tail", &["last", "end", "bottom"]),
    ("diff", &["compare", "changes", "delta"]),
    ("full", &["all", "whole", "entire", "everything"]),
    ("list", &["ls", "index", "ids"]),
    ("help", &["?", "usage", "--help"]),
    ("grep", &["count"]),
    ("outline", &["columns"]),
];

/// Arguments by the names that they have here.
pub(super) fn tidy(fields: Map<String, Value>) -> Map<String, Value> {
    let mut fields = unwrapped(fields);
    named(&mut fields);
    of_rows(&mut fields);
    modes(&mut fields);
    ranges(&mut fields);
    texts(&mut fields);
    fields
}

/// What is inside, where all is within one object: `{"arguments": {…}}`.
fn unwrapped(mut fields: Map<String, Value>) -> Map<String, Value> {
    let outer = ["arguments", "args", "params", "parameters", "input"];
    if fields.len() == 1
        && let Some(name) = outer.into_iter().find(|name| fields.contains_key(*name))
        && let Some(Value::Object(inner)) = fields.get_mut(name)
    {
        return std::mem::take(inner);
    }
    fields
}

/// Not inlined, as it is called often.
#[inline(never)]
fn set(fields: &mut Map<String, Value>, name: &str, value: Value) {
    fields.insert(name.to_owned(), value);
}

#[inline(never)]
fn is_given(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name).is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
}

/// Moves a value to another name, unless something stands there.
#[inline(never)]
fn rename(fields: &mut Map<String, Value>, from: &str, to: &str) {
    if !is_given(fields, to)
        && let Some(value) = fields.remove(from)
    {
        set(fields, to, value);
    }
}

fn mode_of(fields: &Map<String, Value>) -> Option<String> {
    fields.get("mode").and_then(Value::as_str).map(|mode| mode.trim().to_ascii_lowercase())
}

fn named(fields: &mut Map<String, Value>) {
    let ours = |name: &str| super::FIELDS.split(' ').any(|field| field == name);
    let names: Vec<String> = fields.keys().filter(|name| !ours(name)).cloned().collect();
    for name in names {
        let lower = name.to_ascii_lowercase().replace(['-', ' '], "_");
        let is = |known: &&str| *known == lower || *known == name.to_ascii_lowercase();
        let known = super::FIELDS.split(' ').find(is).or_else(|| {
            NAMES.into_iter().find(|(_, others)| others.iter().any(is)).map(|(name, _)| name)
        });
        if let Some(known) = known {
            rename(fields, &name, known);
        }
    }
    // `case_sensitive` says the opposite.
    if let Some(Value::Bool(minded)) = fields.get("case_sensitive") {
        let case = if *minded { "sensitive" } else { "insensitive" };
        fields.remove("case_sensitive");
        fields.entry("case").or_insert_with(|| case.into());
    }
    if let Some(Value::String(shown)) = fields.get("output_mode") {
        let counts = shown.trim() == "count";
        fields.remove("output_mode");
        if counts {
            set(fields, "count_only", true.into());
        }
    }
}

/// Modes that are ways to sum up what a program gives.
const SUMMING: &str = "sum avg average mean median max min distinct unique stats group count";

fn modes(fields: &mut Map<String, Value>) {
    // `count` may be a count of lines with a pattern as well.
    let is_program =
        |text: &str| text.trim_start().starts_with(['.', '[']) || text.contains("select(");
    if let Some(mode) = mode_of(fields)
        && SUMMING.split(' ').any(|word| word == mode)
        && !is_given(fields, "pattern")
        && fields.get("query").and_then(Value::as_str).is_some_and(is_program)
    {
        fields.entry("reduce").or_insert_with(|| mode.into());
        set(fields, "mode", "query".into());
    }
    match mode_of(fields) {
        Some(mode) => options(fields, &mode),
        None => named_modes(fields),
    }
    of_mode(fields);
}

fn options(fields: &mut Map<String, Value>, mode: &str) {
    // `grep -i`, `tail -20`.
    let mut words = mode.split_whitespace();
    let first = words.next().unwrap_or_default();
    let first = MODES
        .into_iter()
        .find(|(_, others)| others.contains(&first))
        .map_or(first, |(ours, _)| ours);
    for option in words {
        let number = option.trim_start_matches(['-', 'n']).parse::<u64>().ok();
        match (option, number) {
            ("-i", _) => set(fields, "ignore_case", true.into()),
            ("-c", _) => set(fields, "count_only", true.into()),
            ("-v", _) => set(fields, "invert", true.into()),
            (_, Some(number)) if !is_given(fields, "count") => {
                set(fields, "count", number.into());
            }
            _ => {}
        }
    }
    set(fields, "mode", first.into());
}

fn named_modes(fields: &mut Map<String, Value>) {
    // The mode as the name of what it needs: `"tail": 20`, `"grep": "ERROR"`.
    let needs = [
        ("grep", Some("pattern")),
        ("search", Some("query")),
        ("head", Some("count")),
        ("tail", Some("count")),
        ("range", Some("lines")),
        ("outline", None),
        ("full", None),
        ("stat", None),
        ("list", None),
        ("diff", Some("other")),
    ];
    for (mode, needs) in needs {
        let Some(value) = fields.get(mode).cloned() else { continue };
        if matches!(value, Value::Null | Value::Bool(false)) {
            fields.remove(mode);
            continue;
        }
        fields.remove(mode);
        set(fields, "mode", mode.into());
        if let Some(needs) = needs.filter(|needs| !is_given(fields, needs))
            && value != Value::Bool(true)
        {
            set(fields, needs, value);
        }
        break;
    }
}

/// What the mode's own arguments are called.
fn of_mode(fields: &mut Map<String, Value>) {
    match mode_of(fields).as_deref() {
        Some("grep") => {
            // The names of what is looked for are easily confused.
            for name in ["query", "grep", "search"] {
                rename(fields, name, "pattern");
            }
            rename(fields, "limit", "max_matches");
            if fields.get("count") == Some(&Value::Bool(true)) {
                fields.remove("count");
                set(fields, "count_only", true.into());
            }
            if !is_given(fields, "max_matches") {
                rename(fields, "count", "max_matches");
            }
        }
        Some("query") => {
            rename(fields, "pattern", "query");
            if !is_given(fields, "query") && (is_given(fields, "by") || is_given(fields, "reduce"))
            {
                set(fields, "query", ".".into());
            }
        }
        Some("search") => {
            for name in ["pattern", "search", "grep"] {
                rename(fields, name, "query");
            }
            if fields.get("word").is_some_and(|words| words.as_str().is_some_and(|it| !is_flag(it)))
            {
                rename(fields, "word", "query");
            }
        }
        // The one argument besides id and mode that the definition names may hold what any mode asks for. Some models
        // fill it without need: another text is passed over.
        Some("range" | "head" | "tail") => {
            rename(fields, "limit", "count");
            let lines = fields.get("pattern");
            if lines.and_then(pair).is_some() || whole(lines).is_some() {
                rename(fields, "pattern", "lines");
            }
        }
        Some(mode @ ("outline" | "diff")) => {
            let text = fields.get("pattern").and_then(Value::as_str).unwrap_or_default();
            match mode {
                "outline" if text.starts_with('/') => rename(fields, "pattern", "path"),
                "diff" if Ids::parse_lenient(id(text)).is_ok() => {
                    rename(fields, "pattern", "other");
                }
                _ => {}
            }
        }
        None if is_given(fields, "pattern") => rename(fields, "limit", "max_matches"),
        None if is_given(fields, "start") => rename(fields, "limit", "count"),
        None if !is_given(fields, "query")
            && (is_given(fields, "by") || is_given(fields, "reduce")) =>
        {
            set(fields, "query", ".".into());
        }
        _ => {}
    }
}

fn is_flag(text: &str) -> bool {
    matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "" | "true" | "false" | "yes" | "no" | "on" | "off" | "1" | "0"
    )
}

/// A number, also as a text.
fn whole(value: Option<&Value>) -> Option<i64> {
    match value {
        Some(Value::Number(number)) => number.as_i64(),
        Some(Value::String(text)) => text.trim().parse::<i64>().ok(),
        _ => None,
    }
}

/// Two numbers in one value: `"10-20"`, `"L10:L20"`, `[10, 20]`.
fn pair(value: &Value) -> Option<(i64, i64)> {
    let number = |text: &str| text.trim().trim_start_matches(['L', 'l']).parse::<i64>().ok();
    let (from, to) = match value {
        Value::Array(both) if both.len() == 2 => (both[0].as_i64()?, both[1].as_i64()?),
        Value::String(text) => {
            let text = text.trim().trim_start_matches('[').trim_end_matches(']');
            let text = text.trim_start_matches("lines").trim();
            let (from, to) = ["..", "-", ":", ",", "–", " to "]
                .into_iter()
                .find_map(|between| text.split_once(between))?;
            (number(from)?, number(to.trim_start_matches('='))?)
        }
        _ => return None,
    };
    // The last line may be named first.
    (from >= 0 && to >= 0).then_some((from.min(to), from.max(to)))
}

fn ranges(fields: &mut Map<String, Value>) {
    for name in ["lines", "range", "start", "count"] {
        if let Some((from, to)) = fields.get(name).and_then(pair) {
            fields.remove(name);
            set(fields, "start", from.into());
            set(fields, "count", (to - from + 1).into());
            if !is_given(fields, "mode") {
                set(fields, "mode", "range".into());
            }
        }
    }
    if let Some(end) = whole(fields.get("end")) {
        fields.remove("end");
        let start = whole(fields.get("start")).unwrap_or(1);
        if !is_given(fields, "count") && end >= start && start >= 0 {
            set(fields, "start", start.into());
            set(fields, "count", (end - start + 1).into());
        }
    }
    // The last 20 lines, as a start.
    let mode = mode_of(fields);
    if mode.as_deref() == Some("tail")
        && !is_given(fields, "count")
        && let Some(start) = whole(fields.get("start")).filter(|start| *start < 0)
    {
        set(fields, "count", start.unsigned_abs().into());
    }
    if matches!(mode.as_deref(), Some("tail" | "range" | "head")) {
        for name in ["count", "lines"] {
            if let Some(count) = whole(fields.get(name)).filter(|count| *count < 0)
                && !is_given(fields, "start")
            {
                set(fields, "count", count.unsigned_abs().into());
                set(fields, "mode", "tail".into());
            }
        }
    }
    // `5 lines`, and as many as there are.
    for name in ["count", "limit", "max_matches", "before", "after", "context", "start"] {
        if let Some(Value::String(text)) = fields.get(name) {
            let number = text.trim().split(' ').next().and_then(|word| word.parse::<i64>().ok());
            let is_all = matches!(
                text.trim().to_ascii_lowercase().as_str(),
                "all" | "none" | "unlimited" | "inf"
            );
            match number {
                Some(number) => set(fields, name, number.into()),
                None if is_all => drop(fields.remove(name)),
                None => {}
            }
        }
    }
    // How many alone is no question of what it is, but of its beginning, or of its end.
    if mode.is_none()
        && !is_given(fields, "pattern")
        && let Some(lines) = whole(fields.get("lines"))
    {
        fields.remove("lines");
        set(fields, "count", lines.unsigned_abs().into());
        set(fields, "mode", if lines < 0 { "tail" } else { "head" }.into());
    }
}

/// Arguments of other query languages: `where` keeps rows, and `sort` has so many from one end of an order.
fn of_rows(fields: &mut Map<String, Value>) {
    if let Some(Value::String(kept)) = fields.remove("where") {
        let query = fields.get("query").and_then(Value::as_str).unwrap_or(".").to_owned();
        set(fields, "query", format!("select({kept}) | {query}").into());
    }
    if let Some(Value::String(sort)) = fields.remove("sort") {
        let order = fields.remove("order").or_else(|| fields.remove("direction"));
        let order = order.as_ref().and_then(Value::as_str).unwrap_or_default();
        let sort = sort.trim();
        let key = sort.trim_start_matches('-').split(' ').next().unwrap_or_default();
        let is_down = format!("{sort} {order}").to_ascii_lowercase().contains("desc");
        if !is_given(fields, "by") && !is_given(fields, "reduce") {
            let most = whole(fields.get("limit")).filter(|most| *most > 0).unwrap_or(10);
            let end = if is_down || sort.starts_with('-') { "top" } else { "bottom" };
            set(fields, "reduce", format!("{end} {most}").into());
            set(fields, "by", key.into());
            fields.entry("query").or_insert_with(|| ".".into());
        }
    }
}

fn texts(fields: &mut Map<String, Value>) {
    // One text in a list is that text, and several keys are one of so many parts.
    for name in ["mode", "query", "by", "reduce", "path", "key"] {
        if let Some(Value::Array(texts)) = fields.get(name)
            && !texts.is_empty()
            && texts.iter().all(Value::is_string)
            && (texts.len() == 1 || name == "by")
        {
            let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
            set(fields, name, texts.join(", ").into());
        }
    }
    for name in ["id", "other"] {
        let first = match fields.get(name) {
            // Several are one text as well.
            Some(Value::Array(ids)) if !ids.is_empty() && ids.iter().all(Value::is_string) => {
                let ids: Vec<&str> = ids.iter().filter_map(Value::as_str).map(id).collect();
                Some(ids.join(",").into())
            }
            Some(Value::Number(number)) if number.to_string().len() >= 12 => {
                Some(number.to_string().into())
            }
            _ => None,
        };
        if let Some(first) = first {
            set(fields, name, first);
        }
        if let Some(Value::String(text)) = fields.get_mut(name) {
            *text = id(text).to_owned();
        }
    }
    if let Some(Value::Array(texts)) = fields.get("pattern") {
        let texts: Vec<&str> = texts.iter().filter_map(Value::as_str).collect();
        set(fields, "pattern", texts.join("|").into());
    }
    if let Some(Value::Number(number)) = fields.get("pattern") {
        let number = number.to_string();
        set(fields, "pattern", number.into());
    }
    // `regex` may be the pattern itself.
    if let Some(Value::String(text)) = fields.get("regex")
        && !is_given(fields, "pattern")
        && !matches!(text.trim(), "true" | "false" | "")
    {
        rename(fields, "regex", "pattern");
    }
    for (name, value) in [("case", "insensitive"), ("unit", "chars")] {
        if let Some(Value::String(text)) = fields.get_mut(name) {
            *text = text.trim().to_ascii_lowercase();
            let is_meant = match name {
                "case" => matches!(text.as_str(), "ignore" | "i" | "lower" | "false" | "none"),
                _ => matches!(text.as_str(), "character" | "characters"),
            };
            if is_meant {
                *text = value.to_owned();
            }
        }
    }
    for name in ["invert", "count_only", "whole", "table", "literal", "word", "ignore_case"] {
        if let Some(Value::String(text)) = fields.get_mut(name) {
            match text.trim().to_ascii_lowercase().as_str() {
                "yes" | "on" | "1" => *text = "true".to_owned(),
                "no" | "off" | "0" => *text = "false".to_owned(),
                _ => {}
            }
        }
    }
}

/// An id without what models put around it.
fn id(given: &str) -> &str {
    let around = [
        ' ', '"', '\'', '`', '<', '>', '[', ']', '(', ')', '{', '}', '…', '.', ',', ';', '#', '/',
        ':',
    ];
    let mut text = given.trim_matches(around);
    loop {
        let bare = ["id=", "id:", "ID=", "id ", "weir:", "blob=", "blob/", "blob:", "blob "]
            .into_iter()
            .find_map(|before| text.strip_prefix(before));
        match bare {
            Some(rest) => text = rest.trim_matches(around),
            // What is none after all is shown as it was written.
            None if text.len() >= 12 && text.bytes().all(|b| b.is_ascii_hexdigit()) => return text,
            None => return given,
        }
    }
}
