//! How a server's entry says what a login to it takes, in the words of several clients.

use serde_json::{Map, Value};

use weir_oauth::{OAuthSettings, Secret};

use super::entry::Reader;

impl Reader<'_> {
    /// `oauth` of Claude Code, Gemini and opencode, `auth` of Cursor, `scopes` of Codex.
    pub(super) fn oauth(&mut self, entry: &Map<String, Value>) -> Result<OAuthSettings, String> {
        let mut settings = OAuthSettings::default();
        for key in ["auth", "oauth"] {
            match entry.get(key) {
                Some(Value::Bool(on)) => settings.off = !on,
                Some(Value::Object(object)) => self.oauth_object(key, object, &mut settings)?,
                None | Some(Value::Null) => {}
                Some(Value::String(kind)) if kind.eq_ignore_ascii_case("oauth") => {}
                Some(_) => self.warn(format!("the value of {key} is not known and has no effect")),
            }
        }
        if settings.scopes.is_empty() {
            settings.scopes = self.scopes(entry, "scopes")?;
        }
        Ok(settings)
    }

    fn oauth_object(
        &mut self,
        key: &str,
        object: &Map<String, Value>,
        settings: &mut OAuthSettings,
    ) -> Result<(), String> {
        for (name, value) in object {
            let full = format!("{key}.{name}");
            match name.as_str() {
                "enabled" => settings.off = value.as_bool() == Some(false),
                "clientId" | "client_id" | "CLIENT_ID" => {
                    settings.client_id = self.text(object, &[name])?.filter(|id| !id.is_empty());
                }
                "clientSecret" | "client_secret" | "CLIENT_SECRET" => {
                    let secret = self.text(object, &[name])?.filter(|secret| !secret.is_empty());
                    if let Some(secret) = &secret {
                        self.secrets.add(secret);
                    }
                    settings.client_secret = secret.map(Secret);
                }
                "scopes" | "scope" => settings.scopes = self.scopes(object, name)?,
                "issuer" | "authorizationServer" => settings.issuer = self.text(object, &[name])?,
                "redirectUri" | "redirect_uri" => settings.redirect = self.text(object, &[name])?,
                "callbackPort" | "callback_port" => {
                    let port = value.as_u64().and_then(|port| u16::try_from(port).ok());
                    let port = port.filter(|port| *port > 0);
                    let port = port.ok_or_else(|| format!("{full} is not a port"))?;
                    // As Claude Code registers it.
                    settings.redirect = Some(format!("http://localhost:{port}/callback"));
                }
                "clientMetadataUrl" | "client_metadata_url" => {
                    settings.client_metadata = self.text(object, &[name])?;
                }
                _ => self.warn(format!("the key {full} is not known and has no effect")),
            }
        }
        let document = settings.client_metadata.as_deref();
        if document.is_some_and(|address| !address.starts_with("https://")) {
            return Err(format!("{key}.clientMetadataUrl does not begin with https://"));
        }
        weir_oauth::flow::redirect_of(settings).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// A list, or a text with spaces between.
    fn scopes(&mut self, object: &Map<String, Value>, key: &str) -> Result<Vec<String>, String> {
        match object.get(key) {
            Some(Value::String(_)) => {
                let text = self.text(object, &[key])?.unwrap_or_default();
                Ok(text.split_ascii_whitespace().map(str::to_owned).collect())
            }
            _ => self.texts(object, key),
        }
    }
}
