//! Variables in the texts of a configuration.

use std::path::Path;

use crate::secrets;
use weir_base::RUN;

use super::entry::Reader;

/// What a reference to a secret begins with.
pub(super) const SECRET: &str = "secret:";

impl Reader<'_> {
    /// The secret of a reference.
    fn secret(&mut self, key: &str, reference: &str) -> Result<String, String> {
        let name = reference.strip_prefix(SECRET).unwrap_or(reference);
        let value = (self.variables)(&format!("{SECRET}{name}")).ok_or_else(|| {
            format!("{key} needs the secret {name}, which is not set{RUN}weir secret set {name}")
        })?;
        self.secrets.add(&value);
        Ok(value)
    }

    pub(super) fn variable(&mut self, key: &str, name: &str) -> Result<String, String> {
        let value = (self.variables)(name).ok_or_else(|| {
            format!("{key} needs the variable {name}, which is not set; set it in the gateway's environment, or write ${{{name}:-default}}")
        })?;
        self.secrets.add(&value);
        Ok(value)
    }

    /// `text` with its variables replaced: `${VAR}`, `${VAR:-default}`, `${env:VAR}`, `${secret:NAME}`,
    /// and opencode's `{env:VAR}` and `{file:PATH}`. A whole text may be `secret:NAME`. What looks
    /// otherwise stays; what is put in is not read again.
    pub(super) fn expand(&mut self, key: &str, text: &str) -> Result<String, String> {
        if text.strip_prefix(SECRET).is_some_and(secrets::is_name) {
            return self.secret(key, text);
        }
        let mut out = String::new();
        let mut rest = text;
        while let Some(open) = rest.find('{') {
            let Some(end) = rest[open..].find('}').map(|end| open + end) else { break };
            let inner = &rest[open + 1..end];
            let before = &rest[..open];
            let value = match (before.strip_suffix('$'), inner.split_once(':')) {
                (Some(before), _) => self.dollar(key, inner)?.map(|value| (before, value)),
                (None, Some(("env", name))) => Some((before, self.variable(key, name)?)),
                (None, Some(("file", name))) => Some((before, self.file(key, name)?)),
                _ => None,
            };
            match value {
                Some((before, value)) => {
                    out.push_str(before);
                    out.push_str(&value);
                    rest = &rest[end + 1..];
                }
                // The brace alone: another may begin within.
                None => {
                    out.push_str(&rest[..=open]);
                    rest = &rest[open + 1..];
                }
            }
        }
        out.push_str(rest);
        Ok(out)
    }

    /// What stands for `${inner}`; none when that is not a variable.
    fn dollar(&mut self, key: &str, inner: &str) -> Result<Option<String>, String> {
        let (name, default) = match inner.split_once(":-") {
            Some((name, default)) => (name, Some(default)),
            None => (inner, None),
        };
        // Who that is turns out when somebody calls.
        let proves = key.contains("headers.") || key == "auth" || key.starts_with("auth.");
        if proves && (inner == "person" || inner.starts_with("person:")) {
            return Ok(None);
        }
        let name = name.strip_prefix("env:").unwrap_or(name);
        let is_name = |name: &str| {
            name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        if inner.strip_prefix(SECRET).is_some_and(secrets::is_name) {
            return self.secret(key, inner).map(Some);
        }
        if let Some(input) = inner.strip_prefix("input:") {
            return Err(format!(
                "{key} asks the user for ${{input:{input}}}, which a gateway cannot; put the value into a variable and write ${{{}}}",
                input.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
            ));
        }
        Ok(Some(match name {
            "workspaceFolder" => {
                std::env::current_dir().map(|dir| dir.display().to_string()).unwrap_or_default()
            }
            "workspaceFolderBasename" => {
                let dir = std::env::current_dir().unwrap_or_default();
                dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
            }
            "pathSeparator" | "/" => std::path::MAIN_SEPARATOR_STR.to_owned(),
            "userHome" => self.variable(key, "HOME")?,
            name if !is_name(name) => return Ok(None),
            name => {
                let set = (self.variables)(name).filter(|v| !v.is_empty() || default.is_none());
                match (set, default) {
                    (None, Some(default)) => default.to_owned(),
                    _ => self.variable(key, name)?,
                }
            }
        }))
    }

    /// What a file holds, without the white space around it.
    fn file(&mut self, key: &str, name: &str) -> Result<String, String> {
        let path = match name.strip_prefix("~/") {
            Some(rest) => Path::new(&self.variable(key, "HOME")?).join(rest),
            None => self.directory.join(name),
        };
        let text = std::fs::read_to_string(&path).map_err(|error| {
            format!("{key} needs the file {name}, which cannot be read: {error}")
        })?;
        let text = text.trim().to_owned();
        self.secrets.add(&text);
        Ok(text)
    }
}
