//! Sets of tools by name: globs over `SERVER__TOOL`, and other sets as `toolset:NAME`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use weir_agents::config::host_name;

/// What a reference to another set begins with.
const OTHER: &str = "toolset:";

/// Sets of one file.
const MAX_SETS: usize = 1_000;

/// A set as the file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Toolset {
    tools: Vec<String>,
    enabled: bool,
}

/// All sets, each without a circle.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Toolsets(BTreeMap<String, Toolset>);

impl Toolsets {
    /// Reads `toolsets`: an object of lists, or of `{"tools": […], "enabled": false}`.
    ///
    /// # Errors
    /// As a sentence, where one cannot be read, is empty, or is made of itself.
    pub fn read(value: &Value) -> Result<Toolsets, String> {
        let entries = value.as_object().ok_or("it is not an object of lists of tools")?;
        if entries.len() > MAX_SETS {
            return Err(format!("it has more than {MAX_SETS} sets"));
        }
        let mut all = Toolsets::default();
        for (name, entry) in entries {
            let (tools, enabled) = match entry {
                Value::Object(entry) => {
                    if let Some(key) =
                        entry.keys().find(|key| !["tools", "enabled"].contains(&key.as_str()))
                    {
                        return Err(format!("{name}: the key {key} is not known"));
                    }
                    let enabled = entry.get("enabled").map_or(Some(true), Value::as_bool);
                    let enabled =
                        enabled.ok_or_else(|| format!("{name}: enabled is not true or false"))?;
                    (entry.get("tools").cloned().unwrap_or_default(), enabled)
                }
                list => (list.clone(), true),
            };
            let tools: Vec<String> = serde_json::from_value(tools)
                .map_err(|_| format!("{name} is not a list of tools, such as [\"github__*\"]"))?;
            if tools.is_empty() {
                return Err(format!("{name} names no tools"));
            }
            all.0.insert(name.clone(), Toolset { tools, enabled });
        }
        for name in all.0.keys() {
            all.tools(name)?;
        }
        Ok(all)
    }

    /// The tools of a set, with those of the sets that it is made of.
    ///
    /// # Errors
    /// As a sentence, where there is none of that name, or it is made of itself.
    pub fn tools(&self, name: &str) -> Result<Vec<String>, String> {
        let mut tools = Vec::new();
        self.add(name, &mut Vec::new(), &mut BTreeSet::new(), &mut tools)?;
        Ok(tools)
    }

    fn add<'a>(
        &'a self,
        name: &'a str,
        within: &mut Vec<&'a str>,
        done: &mut BTreeSet<&'a str>,
        tools: &mut Vec<String>,
    ) -> Result<(), String> {
        let (name, set) =
            self.0.get_key_value(name).ok_or_else(|| format!("there is no toolset {name}"))?;
        if !done.insert(name) {
            return Ok(());
        }
        within.push(name);
        for tool in &set.tools {
            match tool.strip_prefix(OTHER) {
                None if tools.contains(tool) => {}
                None => tools.push(tool.clone()),
                Some(other) if within.contains(&other) => {
                    return Err(format!(
                        "the toolset {name} is made of itself: {} > {other}",
                        within.join(" > ")
                    ));
                }
                Some(other) => self.add(other, within, done, tools)?,
            }
        }
        within.pop();
        Ok(())
    }

    /// The tools of these sets.
    ///
    /// # Errors
    /// As [`Toolsets::tools`], and where no set is named.
    pub fn tools_of(&self, names: &[String]) -> Result<Vec<String>, String> {
        if names.is_empty() {
            return Err("no toolset is named".into());
        }
        let tools: Result<Vec<_>, String> = names.iter().map(|name| self.tools(name)).collect();
        Ok(tools?.concat())
    }

    /// Entries of tokens or of profiles with the tools of the sets that they name among their own.
    ///
    /// # Errors
    /// As a sentence, where one names no set that is there.
    pub fn in_entries(&self, entries: &Value) -> Result<Value, String> {
        let mut entries = entries.clone();
        for (name, entry) in entries.as_object_mut().into_iter().flatten() {
            let Some(entry) = entry.as_object_mut() else { continue };
            let Some(named) = entry.remove("toolsets") else { continue };
            let tools = names(&named).and_then(|named| self.tools_of(&named));
            let tools = tools.map_err(|why| format!("{name}.toolsets: {why}"))?;
            let own = entry.entry("tools").or_insert_with(|| Value::Array(Vec::new()));
            if let Some(own) = own.as_array_mut() {
                own.extend(tools.into_iter().map(Value::String));
            }
        }
        Ok(entries)
    }

    /// Reads `hostToolsets`: the tools of each agent host that is given some.
    ///
    /// # Errors
    /// As a sentence, where one names no set that is there.
    pub fn of_hosts(&self, entries: &Value) -> Result<BTreeMap<String, Vec<String>>, String> {
        let entries = entries.as_object().ok_or("it is not an object of lists of toolsets")?;
        let tools = |(host, named): (&String, &Value)| {
            let tools = names(named).and_then(|named| self.tools_of(&named));
            Ok((host_name(host), tools.map_err(|why| format!("{host}: {why}"))?))
        };
        entries.iter().map(tools).collect()
    }

    /// The tools of the sets that are switched off.
    pub fn switched_off(&self) -> Vec<String> {
        let off = self.0.iter().filter(|(_, set)| !set.enabled);
        off.flat_map(|(name, _)| self.tools(name).unwrap_or_default()).collect()
    }
}

fn names(value: &Value) -> Result<Vec<String>, String> {
    serde_json::from_value(value.clone()).map_err(|_| "it is not a list of toolsets".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sets_are_made_of_others_and_never_of_themselves() {
        let sets = Toolsets::read(&json!({
            "a": ["x__*", "toolset:b"], "b": ["y__get_*", "toolset:c", "x__*"], "c": {"tools": ["z__t"], "enabled": false},
        }));
        let sets = sets.unwrap();
        assert_eq!(sets.tools("a").unwrap(), ["x__*", "y__get_*", "z__t"]);
        assert_eq!(sets.switched_off(), ["z__t"]);
        assert_eq!(sets.tools("d").unwrap_err(), "there is no toolset d");
        for (bad, why) in [
            (json!({"a": ["toolset:b"], "b": ["toolset:a"]}), "made of itself: a > b > a"),
            (json!({"a": ["toolset:a"]}), "made of itself"),
            (json!({"a": ["toolset:x"]}), "no toolset x"),
            (json!({"a": []}), "names no tools"),
            (json!({"a": "x"}), "not a list"),
            (json!({"a": {"tools": ["x"], "on": true}}), "key on"),
            (json!([]), "not an object"),
        ] {
            assert!(Toolsets::read(&bad).unwrap_err().contains(why), "{bad}");
        }
        let entries = json!({"t": {"tools": ["w__x"], "toolsets": ["b"]}, "u": {"servers": ["x"]}});
        let entries = sets.in_entries(&entries).unwrap();
        assert_eq!(entries["t"], json!({"tools": ["w__x", "y__get_*", "z__t", "x__*"]}));
        assert_eq!(entries["u"], json!({"servers": ["x"]}));
        // An empty list must not be read as all tools.
        assert!(sets.in_entries(&json!({"t": {"toolsets": []}})).is_err());
        assert!(
            sets.of_hosts(&json!({"cursor": ["x"]}))
                .unwrap_err()
                .contains("cursor: there is no toolset x")
        );
        // A deep chain ends.
        let chain: serde_json::Map<String, Value> = (0..2_000)
            .map(|at| {
                (
                    at.to_string(),
                    json!([format!("t{at}"), format!("toolset:{}", (at + 1).min(1_999))]),
                )
            })
            .collect();
        assert!(Toolsets::read(&Value::Object(chain)).is_err());
    }
}
