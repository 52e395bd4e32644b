//! Whether a query is in another language than the tools' texts, which are in English.
//!
//! A translated query finds what it asks for four times in five, an untranslated one hardly ever; so a
//! model is told to translate.

use super::letters::{Class, classify};

/// What to tell a model that asks in another language.
const HINT: &str = "Tool texts are in English: search again with English words";

/// Little words of languages that are written in Latin letters, each none of English.
const LITTLE_WORDS: &str = "alle als att au auch auf aus aux avec bana bei bir bitte ces cette che como con cuando czy dans \
    das dei del della dem den dengan der des deze die dla donde dos een ein eine einem einen einer \
    el elle em est esta este et ett f\u{f6}r f\u{fc}r gli het ich ik il ile ist i\u{e7}in jag jak je \
    jest kann la las le les los lutfen l\u{f6}sche l\u{fc}tfen med mein meine mes meu mi mij mijn \
    minha mio mir mit moje mon naar nach nao nel nicht nie niet n\u{e3}o och oder oraz para por pour \
    prosze prosz\u{119} que qui saya semua seu sich sie sobre sono sur tutte tutti t\u{fc}m um uma \
    un una und une uno uns untuk ve von voor wie yang zijn zum zur";

/// The hint, when `query` is in another script than Latin, or in another language by its little words,
/// and `unmatched` are words of it that no tool has.
pub fn hint(query: &str, unmatched: &[String]) -> Option<&'static str> {
    let (mut latin, mut other, mut accents) = (0usize, 0usize, 0usize);
    for c in query.chars() {
        match classify(c) {
            Class::Letter(_) | Class::Letters(..) => {
                latin += 1;
                accents += usize::from(!c.is_ascii());
            }
            Class::Other | Class::Unspaced => other += 1,
            Class::Digit | Class::Mark | Class::Separator => {}
        }
    }
    let strange =
        |word: &String| word.chars().any(|c| matches!(classify(c), Class::Other | Class::Unspaced));
    if other > latin {
        return unmatched.iter().any(strange).then_some(HINT);
    }
    let words = query.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let little = |word: &&str| {
        let word = word.to_lowercase();
        LITTLE_WORDS.split(' ').any(|one| one == word)
    };
    let count = words.clone().filter(little).count() + usize::from(accents > 0);
    // A product's name may have such a word; two of a few are a language.
    (count >= 2 && count * 5 >= words.count() && !unmatched.is_empty()).then_some(HINT)
}

#[cfg(test)]
mod tests {
    use super::hint;

    fn is_foreign(query: &str) -> bool {
        hint(query, &query.split(' ').map(str::to_owned).collect::<Vec<_>>()).is_some()
    }

    #[test]
    fn other_scripts_and_languages_are_told_from_english() {
        for query in [
            "\u{53d1}\u{9001}\u{90ae}\u{4ef6}",
            "\u{441}\u{43e}\u{437}\u{434}\u{430}\u{442}\u{44c} \u{437}\u{430}\u{434}\u{430}\u{447}\u{443}",
            "eine E-Mail an den Kunden senden",
            "enviar un correo a los clientes",
            "cr\u{e9}er une t\u{e2}che dans le projet",
            "criar uma tarefa para o projeto com prazo",
            "inviare una mail con il file",
            "envoyer un courriel au client",
            "enviar um e-mail para o cliente",
            "e-posta g\u{f6}nder l\u{fc}tfen",
            "kirim email untuk semua pelanggan",
        ] {
            assert!(is_foreign(query), "{query}");
        }
        for query in [
            "send a mail to the customer",
            "github create issue",
            "list die rolls",
            "caf\u{e9} reservation",
            "find restaurants in Los Angeles",
            "El Paso weather",
            "open issue #7",
            "",
            "co-op la carte",
        ] {
            assert!(!is_foreign(query), "{query}");
        }
        assert_eq!(
            hint("\u{53d1}\u{9001}", &[]),
            None,
            "a catalog that has these words is in them"
        );
    }
}
