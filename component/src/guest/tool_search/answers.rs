//! Search, describe and explain: questions in, answers out.

use super::conversation::shown;
use super::snapshot::{risk, server_state};
use super::wit;
use crate::search::catalog::servers::ServerCount;
use crate::search::find::answer::{Detail, Group, Match, SearchAnswer};
use crate::search::find::describe::{
    Content, DescribeAnswer, DescribeError, DescribeRequest, Described,
};
use crate::search::find::search::{Explained, SearchRequest};
use crate::search::rank::explain::TermScore;
use crate::search::rank::score::Band;

fn detail(detail: wit::Detail) -> Detail {
    match detail {
        wit::Detail::Brief => Detail::Brief,
        wit::Detail::Signature => Detail::Signature,
        wit::Detail::Full => Detail::Full,
    }
}

pub(super) fn search_request(request: wit::SearchRequest) -> SearchRequest {
    SearchRequest {
        queries: request.queries,
        limit: request.limit,
        detail: detail(request.detail),
        max_chars: request.max_chars,
    }
}

pub(super) fn search_answer(answer: SearchAnswer) -> wit::SearchAnswer {
    wit::SearchAnswer {
        groups: answer.groups.into_iter().map(group).collect(),
        unanswered: answer.unanswered,
        total: answer.total,
        servers: answer.servers.into_iter().map(server_count).collect(),
        servers_left_out: answer.servers_left_out,
        note: answer.note,
        shown: shown(answer.shown),
    }
}

fn group(group: Group) -> wit::SearchGroup {
    let corrections = group.corrections.into_iter();
    wit::SearchGroup {
        query: group.query,
        matches: group.matches.into_iter().map(hit).collect(),
        weak: group.weak,
        direct: group.direct,
        unmatched: group.unmatched,
        corrections: corrections.map(|(written, read)| wit::Correction { written, read }).collect(),
        left_out: group.left_out,
        hint: group.hint,
    }
}

fn hit(hit: Match) -> wit::Hit {
    wit::Hit {
        name: hit.name,
        server: hit.server,
        summary: hit.summary,
        signature: hit.signature,
        complete: hit.complete,
        risk: risk(hit.risk),
        state: server_state(hit.state),
        schema: hit.schema.hex(),
        exact_schema: hit.exact_schema,
        score: hit.score,
    }
}

pub(super) fn server_count(count: ServerCount) -> wit::ServerCount {
    wit::ServerCount {
        name: count.name,
        about: count.about,
        tools: count.tools,
        state: server_state(count.state),
    }
}

pub(super) fn describe_request(request: wit::DescribeRequest) -> DescribeRequest {
    DescribeRequest {
        names: request.names,
        detail: Some(detail(request.detail)),
        path: request.path,
        again: request.again,
        max_chars: request.max_chars,
    }
}

pub(super) fn described(
    answer: Result<DescribeAnswer, DescribeError>,
) -> Result<wit::DescribeAnswer, wit::DescribeError> {
    let answer = answer.map_err(|error| match error {
        DescribeError::NoName => wit::DescribeError::NoName,
        DescribeError::TooManyNames { count, limit } => {
            wit::DescribeError::TooManyNames((count, limit))
        }
    })?;
    let missing = answer.missing.into_iter();
    Ok(wit::DescribeAnswer {
        tools: answer.tools.into_iter().map(described_tool).collect(),
        missing: missing
            .map(|m| wit::MissingTool { name: m.name, ambiguous: m.ambiguous, near: m.near })
            .collect(),
        left_out: answer.left_out,
        shown: shown(answer.shown),
    })
}

fn described_tool(tool: Described) -> wit::DescribedTool {
    wit::DescribedTool {
        name: tool.name,
        server: tool.server,
        description: tool.description,
        clipped: tool.clipped,
        risk: risk(tool.risk),
        state: server_state(tool.state),
        visible: tool.visible,
        schema: tool.schema.hex(),
        arguments: match tool.content {
            Content::None => wit::DescribedArguments::None,
            Content::Exact(text) => wit::DescribedArguments::Exact(text),
            Content::Unchanged => wit::DescribedArguments::Unchanged,
            Content::Signature(text) => wit::DescribedArguments::Signature(text),
            Content::TooLong { chars, signature, paths } => {
                let paths = paths.into_iter();
                wit::DescribedArguments::TooLong(wit::LongSchema {
                    chars,
                    signature,
                    paths: paths.map(|(path, chars)| wit::SchemaPath { path, chars }).collect(),
                })
            }
            Content::NoSuchPath(names) => wit::DescribedArguments::NoSuchPath(names),
        },
    }
}

pub(super) fn explanation(explained: Explained) -> wit::Explanation {
    let parts = explained.explanation;
    wit::Explanation {
        tool: explained.tool,
        admitted: explained.admitted,
        rank: explained.rank,
        confident: explained.band == Some(Band::Confident),
        score: parts.score,
        lexical: parts.lexical,
        semantic: parts.semantic,
        exact: parts.exact,
        terms: parts.terms.into_iter().map(term).collect(),
        unmatched: parts.unmatched,
    }
}

fn term(term: TermScore) -> wit::TermScore {
    wit::TermScore {
        term: term.term,
        expanded: term.expanded,
        weight: term.weight,
        idf: term.idf,
        score: term.score,
        fields: term.fields.into_iter().map(|(field, ..)| field.label().to_owned()).collect(),
    }
}
