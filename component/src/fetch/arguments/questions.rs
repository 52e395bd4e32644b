//! Reads the arguments of the modes that answer questions: query, outline, search, diff.

use super::{BadArguments, Fields, bad};
use crate::fetch::diff::{DiffRequest, Only};
use crate::fetch::outline::OutlineRequest;
use crate::fetch::query::QueryRequest;
use crate::fetch::search::SearchRequest;
use crate::handle::Ids;

impl Fields {
    /// The mode of a call that names none but gives a query.
    pub(super) fn asked(&self) -> Option<&'static str> {
        let query = self.get("query")?.as_str()?.trim();
        let program = self.given("by")
            || self.given("reduce")
            || query.starts_with(['.', '[', '{', '(', '$', '"'])
            || query.contains(['|', '('])
            || query.starts_with("```")
            || query.starts_with("`.")
            || query.starts_with("jq ")
            || query.contains("[]")
            || query.contains("==")
            || matches!(query, "length" | "keys" | "type" | "add");
        match query {
            "" => None,
            _ if program && self.given("id") => Some("query"),
            _ => Some("search"),
        }
    }

    pub(super) fn outline(&self) -> Result<OutlineRequest, BadArguments> {
        Ok(OutlineRequest {
            id: self.id()?,
            view: self.view()?,
            path: self.text("path")?,
            cursor: self.text("cursor")?,
        })
    }

    pub(super) fn search(&self) -> Result<SearchRequest, BadArguments> {
        let Some(query) = self.text("query")? else {
            return bad("\"query\" is missing: give the words to search for".to_owned(), "search");
        };
        Ok(SearchRequest {
            query,
            id: if self.given("id") { Some(self.id()?) } else { None },
            limit: self.natural("limit", "search")?,
            cursor: self.text("cursor")?,
        })
    }

    pub(super) fn diff(&self) -> Result<DiffRequest, BadArguments> {
        let other = match self.text("other")? {
            None => None,
            Some(other) => match Ids::parse_lenient(&other) {
                Ok(id) => Some(id),
                Err(error) => return bad(format!("\"other\" is not an id: {error}"), "diff"),
            },
        };
        Ok(DiffRequest {
            id: self.id()?,
            other,
            key: self.text("key")?,
            lines: self.text("unit")?.is_some_and(|unit| unit.trim().starts_with("line")),
            only: match self.text("only")? {
                None => None,
                Some(only) => match Only::parse(&only) {
                    Some(only) => Some(only),
                    None => {
                        let message = "\"only\" must be added, removed or changed".to_owned();
                        return bad(message, "diff");
                    }
                },
            },
            cursor: self.text("cursor")?,
        })
    }

    pub(super) fn question(&self) -> Result<QueryRequest, BadArguments> {
        let Some(program) = self.text("query")? else {
            return bad("\"query\" is missing: give a jq program".to_owned(), "query");
        };
        Ok(QueryRequest {
            id: self.id()?,
            view: self.view()?,
            program,
            path: self.text("path")?,
            by: self.text("by")?,
            reduce: self.text("reduce")?,
            whole: self.flag("whole")?.unwrap_or(false),
            table: self.flag("table")?.unwrap_or(false),
            limit: self.natural("limit", "query")?,
            cursor: self.text("cursor")?,
        })
    }
}
