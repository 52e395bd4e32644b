//! Orders in scripts other than Latin, as parts of their sentences.

/// Parts of sentences, as they are written.
pub(super) const FOREIGN_ORDERS: [&str; 22] = [
    "\u{5ffd}\u{7565}\u{4e4b}\u{524d}",
    "\u{5ffd}\u{7565}\u{6240}\u{6709}",
    "\u{5ffd}\u{7565}\u{4ee5}\u{4e0a}",
    "\u{5ffd}\u{7565}\u{4e0a}\u{8ff0}",
    "\u{5ffd}\u{7565}\u{5148}\u{524d}",
    "\u{5ffd}\u{7565}\u{524d}\u{9762}",
    "\u{4e0d}\u{8981}\u{5411}\u{7528}\u{6237}",
    "\u{5148}\u{8c03}\u{7528}\u{6b64}\u{5de5}\u{5177}",
    "\u{547d}\u{4ee4}\u{3092}\u{7121}\u{8996}",
    "\u{456}\u{433}\u{43d}\u{43e}\u{440}\u{443}\u{439}",
    "\u{62a}\u{62c}\u{627}\u{647}\u{644} \u{62c}\u{645}\u{64a}\u{639}",
    "\u{62a}\u{62c}\u{627}\u{647}\u{644} \u{643}\u{644}",
    "\u{644}\u{627} \u{62a}\u{62e}\u{628}\u{631} \u{627}\u{644}\u{645}\u{633}\u{62a}\u{62e}\u{62f}\u{645}",
    "\u{928}\u{93f}\u{930}\u{94d}\u{926}\u{947}\u{936}\u{94b}\u{902} \u{915}\u{94b} \u{905}\u{928}\u{926}\u{947}\u{916}\u{93e}",
    "\u{928}\u{93f}\u{930}\u{94d}\u{926}\u{947}\u{936}\u{94b}\u{902} \u{915}\u{94b} \u{928}\u{91c}\u{93c}\u{930}\u{905}\u{902}\u{926}\u{93e}\u{91c}\u{93c}",
    "\u{92a}\u{93f}\u{91b}\u{932}\u{947} \u{928}\u{93f}\u{930}\u{94d}\u{926}\u{947}\u{936}",
    "\u{92a}\u{93f}\u{91b}\u{932}\u{947} \u{938}\u{92d}\u{940} \u{928}\u{93f}\u{930}\u{94d}\u{926}\u{947}\u{936}",
    "nceki talimatlar\u{131} yok",
    "nceki t\u{fc}m talimat",
    "\u{1ecf} qua t\u{1ea5}t c\u{1ea3}",
    "\u{1ecf} qua c\u{e1}c h\u{1b0}\u{1edb}ng d\u{1eab}n",
    "\u{1ecf} qua m\u{1ecd}i",
];

/// Parts of words that stand near each other, in any order: one of each list that is not empty.
const FOREIGN_WORDS: [[&[&str]; 3]; 7] = [
    [
        &["\u{5ffd}\u{7565}", "\u{65e0}\u{89c6}", "\u{7121}\u{8996}", "\u{5fd8}\u{8bb0}"],
        &["\u{4e4b}\u{524d}", "\u{6307}\u{4ee4}", "\u{6307}\u{793a}"],
        &[],
    ],
    [
        &[
            "\u{544a}\u{8bc9}",
            "\u{544a}\u{77e5}",
            "\u{544a}\u{8a34}",
            "\u{77e5}\u{3089}\u{305b}",
            "\u{4f1d}\u{3048}",
            "\u{8a00}\u{308f}",
            "\u{63d0}\u{53ca}",
            "\u{900f}\u{9732}",
        ],
        &["\u{4e0d}\u{8981}", "\u{522b}", "\u{52ff}", "\u{4e0d}\u{5f97}", "\u{306a}\u{3044}"],
        &["\u{7528}\u{6237}", "\u{4f7f}\u{7528}\u{8005}", "\u{30e6}\u{30fc}\u{30b6}\u{30fc}"],
    ],
    [&["\u{bb34}\u{c2dc}"], &["\u{c9c0}\u{c2dc}", "\u{c9c0}\u{ce68}", "\u{ba85}\u{b839}"], &[]],
    [
        &[
            "\u{b9d0}\u{d558}\u{c9c0}",
            "\u{c54c}\u{b9ac}\u{c9c0}",
            "\u{c5b8}\u{ae09}\u{d558}\u{c9c0}",
        ],
        &["\u{c0ac}\u{c6a9}\u{c790}"],
        &[],
    ],
    [
        &[
            "\u{433}\u{43d}\u{43e}\u{440}\u{438}\u{440}\u{443}",
            "\u{430}\u{431}\u{443}\u{434}\u{44c}",
            "\u{430}\u{431}\u{44b}\u{432}\u{430}\u{439}",
        ],
        &[
            "\u{43f}\u{440}\u{435}\u{434}\u{44b}\u{434}\u{443}\u{449}",
            "\u{438}\u{43d}\u{441}\u{442}\u{440}\u{443}\u{43a}\u{446}",
            "\u{443}\u{43a}\u{430}\u{437}\u{430}\u{43d}\u{438}",
        ],
        &[],
    ],
    [
        &[
            "\u{435} \u{433}\u{43e}\u{432}\u{43e}\u{440}\u{438}",
            "\u{435} \u{441}\u{43e}\u{43e}\u{431}\u{449}\u{430}\u{439}",
            "\u{435} \u{443}\u{43f}\u{43e}\u{43c}\u{438}\u{43d}\u{430}\u{439}",
            "\u{435} \u{440}\u{430}\u{441}\u{441}\u{43a}\u{430}\u{437}\u{44b}\u{432}\u{430}\u{439}",
        ],
        &["\u{43f}\u{43e}\u{43b}\u{44c}\u{437}\u{43e}\u{432}\u{430}\u{442}\u{435}\u{43b}"],
        &[],
    ],
    [
        &["\u{62a}\u{62c}\u{627}\u{647}\u{644}"],
        &[
            "\u{62a}\u{639}\u{644}\u{64a}\u{645}\u{627}\u{62a}",
            "\u{627}\u{644}\u{623}\u{648}\u{627}\u{645}\u{631}",
        ],
        &[],
    ],
];

/// Bytes before and after such a part among which the others are.
const FOREIGN_NEAR: usize = 72;

/// Whether an order is in `text`.
pub(super) fn has_order(text: &str) -> bool {
    let are_near = |first: &str, others: &[&[&str]]| {
        let mut from = 0;
        while let Some(place) = text[from..].find(first) {
            let at = from + place;
            from = at + first.len();
            let near = &text[text.floor_char_boundary(at.saturating_sub(FOREIGN_NEAR))
                ..text.floor_char_boundary(at + FOREIGN_NEAR)];
            let has = |of: &&[&str]| of.is_empty() || of.iter().any(|part| near.contains(part));
            if others.iter().all(has) {
                return true;
            }
        }
        false
    };
    // None is without a letter of its script, and dashes, quotation marks and arrows are none.
    let is_letter = |byte: &u8| matches!(byte, 0xc3..=0xe1 | 0xe3..=0xee);
    text.bytes().any(|byte| is_letter(&byte))
        && (FOREIGN_ORDERS.iter().any(|order| text.contains(order))
            || FOREIGN_WORDS
                .iter()
                .any(|[first, others @ ..]| first.iter().any(|part| are_near(part, others))))
}
