//! Variables in the texts of a configuration.

use super::entry::Reader;

impl Reader<'_> {
    pub(super) fn variable(&mut self, key: &str, name: &str) -> Result<String, String> {
        let value = (self.variables)(name).ok_or_else(|| {
            format!("{key} needs the variable {name}, which is not set; set it in the gateway's environment, or write ${{{name}:-default}}")
        })?;
        self.secrets.add(&value);
        Ok(value)
    }

    /// `text` with `${VAR}`, `${VAR:-default}` and `${env:VAR}` replaced. What looks otherwise stays.
    pub(super) fn expand(&mut self, key: &str, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some(start) = rest.find("${") {
            let Some(end) = rest[start..].find('}').map(|end| start + end) else { break };
            out.push_str(&rest[..start]);
            let inner = &rest[start + 2..end];
            let (name, default) = match inner.split_once(":-") {
                Some((name, default)) => (name, Some(default)),
                None => (inner, None),
            };
            let name = name.strip_prefix("env:").unwrap_or(name);
            let is_name = |name: &str| {
                name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            if let Some(input) = inner.strip_prefix("input:") {
                return Err(format!(
                    "{key} asks the user for ${{input:{input}}}, which a gateway cannot; put the value into a variable and write ${{{}}}",
                    input.to_uppercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_")
                ));
            }
            match name {
                "workspaceFolder" => {
                    out.push_str(
                        &std::env::current_dir()
                            .map(|dir| dir.display().to_string())
                            .unwrap_or_default(),
                    );
                }
                "userHome" => out.push_str(&self.variable(key, "HOME")?),
                name if !is_name(name) => out.push_str(&rest[start..=end]),
                name => match (
                    (self.variables)(name).filter(|value| !value.is_empty() || default.is_none()),
                    default,
                ) {
                    (None, Some(default)) => out.push_str(default),
                    _ => out.push_str(&self.variable(key, name)?),
                },
            }
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }
}
