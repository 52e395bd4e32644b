//! Whether a query is in another language than the tools' texts, which are in English.
//!
//! A translated query finds what it asks for four times in five, an untranslated one hardly ever; so a
//! model is told to translate.

use super::letters::{Class, classify};
use super::listed::Listed;

/// What to tell a model that asks in another language.
const HINT: &str = "Tool texts are in English: search again with English words";

/// Little words of languages that are written in Latin letters, each none of English, without accents.
static LITTLE_WORDS: Listed = Listed::new(
    "alle als att au auch auf aus aux avec bana bei bir bitte ces cette che como con cuando czy dans dei del \
    della dem den dengan der des deze die dla donde dos een ein eine einem einen einer el elle em est esta \
    este et ett gli het ich icin ik il ile ini ist je jest kann ke la las le les los lutfen med mein meine \
    mes meu mi mij mijn minha mio mir mit moje mon naar nach nao nel nicht nie niet och oder oraz para por \
    pour prosze que qui saya semua seu sich sie sobre sono sur tutte tutti um uma un una und une uno uns \
    untuk ve von voor wie yang zijn zum zur",
);

/// Everyday words of these languages that no English text has: one of them weighs as much as two little ones.
static EVERYDAY_WORDS: Listed = Listed::new(
    "abrir adicionar afficher afspraak aggiungi agregar ajouter amanha anzeigen aprire \
    archivo archivos arquivo arquivos aufgabe baca baru bericht berkas besok bestand bestanden \
    borrar buat buchen buka buscar cari cartella cerca chercher correo courriel crea crear creare \
    creer criar cuaca cuenta daftar datei dateien demain dodaj domani dosya ekle elimina eliminar enviar \
    envoyer erstelle erstellen factura factuur faktur fattura fichier \
    finden gonder gorev goster hapus hava heute hochladen hoje hoy invia inviare jutro kaydet kirim klant \
    klasor klienta kunden ler lihat loschen maak maken manana mensagem mensaje mesaj \
    messaggio mostra mostrar musteri nachricht neue nieuwe nouveau nouvelle nueva nuevo \
    offnen oggi olustur ordner otworz ouvrir pelanggan pesan plik pogoda pokaz prenota previsao \
    procurar rapat rechercher rechnung rechnungen reservar reserver reuniao reunion riunione \
    schicken senden sil simpan spotkania sturen stuur stworz suche suchen supprimer szukaj \
    taak tambahkan tampilkan tarea tareas tarefa tarefas termine tiempo toevoegen toon toplanti \
    traducir traduire trouver trova tugas undang unggah usuario usun utente utilisateur utworz \
    vergadering verwijder vlucht voeg volo voo weer wetter wiadomosc wyslij yarin yaz \
    yeni zadanie zarezerwuj zeige znajdz zoek zoeken",
);

/// The least weight of a query's foreign words. A product's name may have a little word; two of a few are a language.
const FOREIGN_MIN: usize = 2;

/// Letters of English that a character counts for in a script that puts no spaces between words.
const UNSPACED_LETTERS: usize = 3;

/// The hint, when `query` is in another script than Latin, or in another language by its words, and `strange` are words
/// of it that no tool has.
pub fn hint(query: &str, strange: &[&str]) -> Option<&'static str> {
    let (mut latin, mut other, mut words, mut accented, mut weight) = (0, 0, 0, 0, 0);
    let (mut word, mut bytes, mut is_rare) = (String::new(), 0, false);
    for c in query.chars().chain([' ']) {
        match classify(c) {
            Class::Letter(a) => word.push(a),
            Class::Letters(a, b) => word.extend([a, b]),
            Class::Other => other += 1,
            Class::Unspaced => other += UNSPACED_LETTERS,
            Class::Mark => {}
            Class::Digit | Class::Separator => {
                if !word.is_empty() {
                    latin += word.len();
                    words += 1;
                    // A name in an English query may have accents, or little words: "Los Angeles", "San Jose".
                    let is_name = words > 1 && word.as_bytes()[0].is_ascii_uppercase();
                    let is_accented = word.len() < bytes;
                    accented += usize::from(is_rare && !is_name);
                    // A word that tools have says nothing of the tools' language.
                    let is_strange = strange.iter().any(|one| one.eq_ignore_ascii_case(&word));
                    weight += match EVERYDAY_WORDS.has(&word) {
                        _ if !is_strange => 0,
                        true => FOREIGN_MIN,
                        false => usize::from(!is_name && (is_accented || LITTLE_WORDS.has(&word))),
                    };
                }
                word.clear();
                (bytes, is_rare) = (0, false);
                continue;
            }
        }
        bytes += c.len_utf8();
        // English takes words from others with the letters of Latin 1: "caf\u{e9}".
        is_rare |= c > '\u{ff}';
    }
    // A word with an accent is enough where nothing of the query is known.
    if accented > 0 && words > 1 && strange.len() >= words {
        weight += 1;
    }
    let is_foreign = match other > latin {
        // Latin letters are folded in these.
        true => strange.iter().any(|word| !word.is_ascii()),
        false => weight >= FOREIGN_MIN && weight * 5 >= words && !strange.is_empty(),
    };
    is_foreign.then_some(HINT)
}

#[cfg(test)]
mod tests {
    use super::hint;
    use crate::search::text::words::{is_stop_word, words};

    fn is_foreign(query: &str) -> bool {
        let mut strange = Vec::new();
        words(query, |_| false, |word, _| strange.push(word.to_owned()));
        strange.retain(|word| !is_stop_word(word));
        hint(query, &strange.iter().map(String::as_str).collect::<Vec<_>>()).is_some()
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
            "enviar un correo",
            "criar tarefa",
            "cerca file",
            "Datei suchen",
            "zoek bestand",
            "wyslij wiadomosc",
            "usu\u{144} folder",
            "pogoda w Warszawie",
            "klas\u{f6}r\u{fc} sil",
            "mesajlar\u{131}m\u{131} oku",
            "kirim pesan",
            "g\u{1eed}i tin nh\u{1eaf}n",
            "\u{53d1}\u{9001} email",
            "GitHub\u{306e}issue\u{3092}\u{4f5c}\u{6210}",
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
            "El Ni\u{f1}o forecast",
            "trains from Z\u{fc}rich to S\u{e3}o Jos\u{e9}",
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
        assert_eq!(hint("eine Rechnung an den Kollegen senden", &["kollegen"]), None);
    }
}
