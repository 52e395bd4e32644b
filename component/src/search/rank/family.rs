//! Tools that are one operation in several versions and scopes: `listCoreV1Pod`, `listCoreV1beta1NamespacedPod`.

use crate::search::text::fold::{fold, words};

/// What an operation may be for, behind "for" or "in".
const SCOPES: &str = "account accounts all any authenticated current enterprise enterprises global me my namespace \
    namespaces org organization organizations orgs project projects public repo repository site team user users workspace";

/// What the tools of a family have in common, the words of the name without versions and scopes, and whether the name has
/// some of these: names that differ in their separators alone are of different tools.
pub(crate) fn family(name: &str) -> (String, bool) {
    let folded = fold(name);
    let versions =
        folded.as_bytes().windows(2).any(|two| two[0] == b'v' && two[1].is_ascii_digit());
    // Most names have nothing to leave out.
    if !versions && !["for", "in", "namespaced", "legacy"].iter().any(|part| folded.contains(part))
    {
        return (folded, false);
    }
    let mut words = words(name);
    let is_scope = |word: &String| SCOPES.split(' ').any(|scope| scope == word);
    if let Some(at) = words.iter().rposition(|word| word == "for" || word == "in")
        && at > 0
        && at + 1 < words.len()
        && words[at + 1..].iter().all(is_scope)
    {
        words.truncate(at);
    }
    words.retain(|word| !is_version(word) && word != "namespaced" && word != "legacy");
    let rest = words.concat();
    let left_out = rest != folded;
    (rest, left_out)
}

/// `v1`, `v2beta1`.
fn is_version(word: &str) -> bool {
    let digits =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).len() < text.len();
    let Some(rest) = word.strip_prefix('v').filter(|rest| digits(rest)) else { return false };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = rest.strip_prefix("alpha").or_else(|| rest.strip_prefix("beta")).unwrap_or(rest);
    rest.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn versions_and_scopes_are_one_family() {
        for (one, other) in [
            ("listCoreV1NamespacedPod", "listCoreV1PodForAllNamespaces"),
            ("createBatchV1beta1CronJob", "createBatchV2alpha1CronJob"),
            ("issues_list", "issues_list_for_authenticated_user"),
            ("teams/list-members-in-org", "teams/list-members-legacy"),
        ] {
            assert_eq!(family(one).0, family(other).0);
            assert!(family(one).1 || family(other).1, "{one}");
        }
        for (one, other) in [
            ("listPods", "deletePods"),
            ("search_for_user", "search_for_invoice"),
            ("view", "vim"),
            ("for_user", "for_org"),
            ("list_projects", "list_users"),
        ] {
            assert_ne!(family(one).0, family(other).0, "{one}");
        }
        assert_eq!(family("get_value_in"), ("getvaluein".to_owned(), false));
        assert_eq!(family("v1"), (String::new(), true));
    }
}
