//! Reads the arguments of the modes that answer questions: query, outline, search, diff.

use super::{BadArguments, Fields, bad};
use crate::fetch::query::QueryRequest;

impl Fields {
    /// The mode of a call that names none but gives a query.
    pub(super) fn asked(&self) -> Option<&'static str> {
        self.given("query").then_some("query")
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
