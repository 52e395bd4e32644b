//! The methods of MCP: one table, which all go by that match on their names.

use std::fmt;

use super::json::Json;

/// Which of the two ways of speaking a peer uses.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Era {
    /// Opens with `initialize`; 2024-11-05 to 2025-11-25.
    Legacy,
    /// Every request carries its metadata; 2026-07-28.
    Modern,
}

/// What is to be known of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Its name.
    pub name: &'static str,
    /// The one era that has it; none where both do.
    pub era: Option<Era>,
    /// The parameter that the header `Mcp-Name` repeats.
    pub header: Option<&'static str>,
    /// Whether it is a call: limits of a client are about it, a log of calls has it, and it may want input first.
    pub is_call: bool,
    /// Whether its result says how long it may be taken for fresh.
    pub cacheable: bool,
}

const LEGACY: Option<Era> = Some(Era::Legacy);
const MODERN: Option<Era> = Some(Era::Modern);

macro_rules! table {
    ($($method:ident, $name:literal, $era:expr, $header:expr, $is_call:literal, $cacheable:literal;)*) => {
        /// What a client asks of a server.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Method {
            $(#[doc = $name] $method,)*
        }

        impl Method {
            /// All of them.
            pub const ALL: &[Method] = &[$(Method::$method),*];

            /// What is to be known of it.
            pub const fn row(self) -> Row {
                let (name, era, header, is_call, cacheable) = match self {
                    $(Method::$method => ($name, $era, $header, $is_call, $cacheable),)*
                };
                Row { name, era, header, is_call, cacheable }
            }
        }
    };
}

table! {
    // method, name, era, header, call, cacheable
    Initialize,    "initialize",               LEGACY, None,           false, false;
    Discover,      "server/discover",          MODERN, None,           false, true;
    Ping,          "ping",                     LEGACY, None,           false, false;
    SetLevel,      "logging/setLevel",         LEGACY, None,           false, false;
    Listen,        "subscriptions/listen",     MODERN, None,           false, false;
    Complete,      "completion/complete",      None,   None,           false, false;
    ListTools,     "tools/list",               None,   None,           false, true;
    CallTool,      "tools/call",               None,   Some("name"),   true,  false;
    ListPrompts,   "prompts/list",             None,   None,           false, true;
    GetPrompt,     "prompts/get",              None,   Some("name"),   true,  false;
    ListResources, "resources/list",           None,   None,           false, true;
    ListTemplates, "resources/templates/list", None,   None,           false, true;
    ReadResource,  "resources/read",           None,   Some("uri"),    true,  true;
    ReadDirectory, "resources/directory/read", None,   None,           false, false;
    ListSkills,    "skills/list",              None,   None,           false, true;
    GetSkill,      "skills/get",               None,   None,           false, true;
    Subscribe,     "resources/subscribe",      LEGACY, None,           false, false;
    Unsubscribe,   "resources/unsubscribe",    LEGACY, None,           false, false;
    ListTasks,     "tasks/list",               LEGACY, None,           false, false;
    GetTask,       "tasks/get",                None,   Some("taskId"), false, false;
    UpdateTask,    "tasks/update",             MODERN, Some("taskId"), false, false;
    CancelTask,    "tasks/cancel",             None,   Some("taskId"), false, false;
    TaskResult,    "tasks/result",             LEGACY, None,           false, false;
}

impl Method {
    /// The method of this name.
    pub fn of(name: &str) -> Option<Method> {
        Method::ALL.iter().copied().find(|method| method.name() == name)
    }

    /// Its name.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Whether it is of the extension [`SKILLS`], whose results are the same in either era.
    pub fn is_of_skills(self) -> bool {
        matches!(self, Method::ListSkills | Method::GetSkill)
    }

    /// Whether a peer of this era has it.
    pub fn is_of(self, era: Era) -> bool {
        self.row().era.is_none_or(|only| only == era)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the header `Mcp-Name` of a request is, where it has one.
pub fn name_header(method: &str, params: &Json) -> Option<String> {
    params.text_at(&[Method::of(method)?.row().header?])
}

/// The extension "Skills over MCP", by which servers have skills.
pub const SKILLS: &str = "io.modelcontextprotocol/skills";

/// Asks a user something.
pub const ELICIT: &str = "elicitation/create";

/// What a server asks of a client, with the capability that it takes.
const ASKED: [(&str, &str); 3] =
    [(ELICIT, "elicitation"), ("sampling/createMessage", "sampling"), ("roots/list", "roots")];

/// The capability that a client needs to be asked this; `None` where no client is.
pub fn capability_of(asked: &str) -> Option<&'static str> {
    ASKED.iter().find(|(method, _)| *method == asked).map(|(_, capability)| *capability)
}

/// What either side tells.
#[allow(missing_docs, reason = "each says its name")]
pub mod notice {
    pub const INITIALIZED: &str = "notifications/initialized";
    pub const CANCELLED: &str = "notifications/cancelled";
    pub const PROGRESS: &str = "notifications/progress";
    pub const MESSAGE: &str = "notifications/message";
    pub const ELICITED: &str = "notifications/elicitation/complete";
    pub const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";
    pub const TOOLS: &str = "notifications/tools/list_changed";
    pub const PROMPTS: &str = "notifications/prompts/list_changed";
    pub const RESOURCES: &str = "notifications/resources/list_changed";
    pub const UPDATED: &str = "notifications/resources/updated";
    pub const ROOTS: &str = "notifications/roots/list_changed";
    pub const TASK: &str = "notifications/tasks/status";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_method_is_found_by_its_name_alone() {
        for method in Method::ALL {
            assert_eq!(Method::of(method.name()), Some(*method));
        }
        assert_eq!(Method::of("tools/forget"), None);
    }

    #[test]
    fn a_header_repeats_what_the_specification_names() {
        let params = Json::assembled(r#"{"name":"n","uri":"u","taskId":"t"}"#.into());
        for (method, header) in [
            ("tools/call", Some("n")),
            ("prompts/get", Some("n")),
            ("resources/read", Some("u")),
            ("tasks/get", Some("t")),
            ("tasks/result", None),
            ("tools/list", None),
            ("vendor/own", None),
        ] {
            assert_eq!(name_header(method, &params).as_deref(), header, "{method}");
        }
    }
}
