//! Which component files the command runs: signed by a trusted key, the one inside, or any where that is
//! said.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value, json};
use weir_host::signatures::{Signature, SigningKey, Trust};
use weir_host::{ComponentSource, Error, Weir};
use weir_tests::{Ran, Sandbox, hostile_guest};

/// A small component of the contract that is not the one inside.
fn foreign() -> &'static [u8] {
    static GUEST: OnceLock<Vec<u8>> = OnceLock::new();
    GUEST.get_or_init(|| hostile_guest(""))
}

/// A component that exports an empty instance under the name of an interface.
fn exporting(name: &str) -> Vec<u8> {
    let mut section = vec![1, 0, u8::try_from(name.len()).unwrap()];
    section.extend(name.as_bytes());
    section.extend([5, 0, 0]);
    let mut bytes = b"\0asm\x0d\0\x01\0\x05\x03\x01\x01\0\x0b".to_vec();
    bytes.push(u8::try_from(section.len()).unwrap());
    bytes.extend(section);
    bytes
}

struct Signer {
    sandbox: Sandbox,
    file: PathBuf,
}

impl Signer {
    /// A foreign component, and two pairs of keys: `good` and `other`.
    fn new() -> Signer {
        let sandbox = Sandbox::new();
        let file = sandbox.path().join("weir.wasm");
        fs::write(&file, foreign()).unwrap();
        for name in ["good", "other"] {
            let key = SigningKey::generate().unwrap();
            let write = |end: &str, text: String| {
                fs::write(sandbox.path().join(format!("{name}.{end}")), text).unwrap();
            };
            write("key", key.to_pem());
            write("pub", key.public_key().to_pem());
        }
        Signer { sandbox, file }
    }

    fn sign(&self, key: &str) {
        let key = self.sandbox.path().join(format!("{key}.key"));
        let signature = SigningKey::from_file(&key).unwrap().sign(&fs::read(&self.file).unwrap());
        fs::write(Signature::beside(&self.file), signature.unwrap().to_base64() + "\n").unwrap();
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.sandbox.run(arguments)
    }

    fn configure(&self, text: &str) {
        let directory = self.sandbox.path().join("config/weir");
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("config.toml"), text).unwrap();
    }

    /// Loads the file, which is refused with these words and a hint with those.
    fn refused(&self, said: &str, hint: &str) {
        let ran = self.run(&["inspect", "--component", "weir.wasm"]);
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        assert!(ran.stderr.contains(said) && ran.stderr.contains(hint), "{}", ran.stderr);
    }

    fn runs(&self, arguments: &[&str]) {
        let ran = self.run(&[&["inspect", "--json"], arguments].concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.json()["bytes"], fs::metadata(&self.file).unwrap().len());
    }
}

#[test]
fn a_component_file_runs_only_when_a_trusted_key_signed_it_or_it_is_said() {
    let signer = Signer::new();
    let component = ["--component", "weir.wasm"];
    signer.refused("weir.wasm is not trusted: it is not signed", "--allow-unsigned");
    signer.runs(&["--component", "weir.wasm", "--allow-unsigned"]);
    signer.sign("good");
    signer.refused("it is signed, but no key is trusted", "`trusted_keys`");

    // Paths in the configuration are relative to it.
    signer.configure("trusted_keys = ['../../good.pub']");
    signer.runs(&component);
    signer.configure(
        "component = '../../weir.wasm'\ntrusted_keys = ['../../other.pub', '../../good.pub']",
    );
    signer.runs(&[]);
    let pem = fs::read_to_string(signer.sandbox.path().join("good.pub")).unwrap();
    signer.configure(&format!("trusted_keys = ['''{pem}''']"));
    signer.runs(&component);

    // Another key.
    signer.configure("trusted_keys = ['../../other.pub']");
    signer.refused("another key signed it", "name that in `trusted_keys`");
    // A changed file, by one bit.
    signer.configure("trusted_keys = ['../../good.pub']");
    let mut tampered = foreign().to_vec();
    *tampered.last_mut().unwrap() ^= 1;
    fs::write(&signer.file, &tampered).unwrap();
    signer.refused("the file was changed after it was signed", "get the file and its .sig again");
    // Half a file.
    fs::write(&signer.file, &foreign()[..foreign().len() / 2]).unwrap();
    signer.refused("the file was changed after it was signed", "hint: ");
    fs::write(&signer.file, foreign()).unwrap();
    // A signature that is none.
    let signature = signer.sandbox.path().join("weir.wasm.sig");
    fs::write(&signature, "<html>not found</html>").unwrap();
    signer.refused("its signature cannot be used", "hint: get the .sig file again");
    fs::remove_file(&signature).unwrap();
    signer.refused("it is not signed", "hint: ");
    signer.configure("allow_unsigned = true");
    signer.runs(&component);

    // Settings that cannot be read let nothing run, whatever else is said.
    for text in ["trusted_keys = 'good.pub'", "allow_unsigned = 1", "trusted_keys = ['none.pub']"] {
        signer.configure(text);
        let ran = signer.run(&["inspect", "--component", "weir.wasm", "--allow-unsigned"]);
        assert_eq!(ran.code, 2, "{text}: {}", ran.stdout);
        assert!(ran.stderr.contains("hint: "), "{}", ran.stderr);
    }
    // Without a file they do no harm.
    signer.configure("trusted_keys = ['none.pub']");
    assert_eq!(signer.run(&["status"]).code, 0);
}

#[test]
fn the_component_inside_needs_no_signature_wherever_it_lies() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("copy.wasm");
    fs::write(&file, ComponentSource::Embedded.bytes().unwrap()).unwrap();
    let ran = sandbox.run(["status", "--component", "copy.wasm"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let verified = sandbox.run(["component", "verify", "copy.wasm", "--json"]);
    assert_eq!(verified.code, 0, "{}", verified.stdout);
    assert_eq!(verified.json()["trusted"], "embedded");
}

#[test]
fn what_is_not_a_component_of_this_contract_is_refused_though_it_is_signed() {
    let signer = Signer::new();
    signer.configure("trusted_keys = ['../../good.pub']");
    let old = exporting("weir:plugin/transform@0.1.0");
    let new = exporting("weir:plugin/transform@99.0.0");
    let other = exporting("wasi:http/handler@0.2.0");
    for (bytes, said) in [
        (&old[..], "older contract weir:plugin@0.1.0; get the component that belongs to"),
        (&new, "newer contract weir:plugin@99.0.0; use a version of weir that"),
        (&other, "exports no interface of weir:plugin"),
        (b"\0asm\x01\0\0\0", "a core module, not a component"),
        (b"#!/bin/sh\n", "not WebAssembly"),
        (b"", "not WebAssembly"),
        (&foreign()[..foreign().len() - 1], "truncated or damaged"),
        (&foreign()[..foreign().len() / 2], "truncated or damaged"),
    ] {
        // Unsigned: that comes first, as nobody should sign it.
        let _ = fs::remove_file(signer.sandbox.path().join("weir.wasm.sig"));
        fs::write(&signer.file, bytes).unwrap();
        signer.refused(said, "hint: ");
        signer.sign("good");
        signer.refused(said, "hint: ");
        let verified = signer.run(&["component", "verify", "weir.wasm"]);
        assert_eq!(verified.code, 1, "{}", verified.stdout);
        assert!(verified.stdout.contains(said), "{}", verified.stdout);
    }
}

#[test]
fn the_contract_as_a_wit_package_is_verified_and_not_run() {
    let mut resolve = wit_parser::Resolve::default();
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../wit");
    let (package, _) = resolve.push_dir(directory).unwrap();
    let signer = Signer::new();
    fs::write(&signer.file, wit_component::encode(&resolve, package).unwrap()).unwrap();
    signer.sign("good");
    let ran = signer.run(&["component", "verify", "weir.wasm", "--key", "good.pub"]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(ran.stdout.contains("weir:plugin@0.3.0, as a WIT package"), "{}", ran.stdout);
    // It is signed, and is not a component for all that.
    signer.configure("trusted_keys = ['../../good.pub']");
    signer.refused("as a WIT package, not a component; get the file weir.wasm", "hint: ");
}

#[test]
fn verify_says_who_signed_and_what_is_wrong() {
    let signer = Signer::new();
    let verify = |arguments: &[&str]| -> (i32, Value) {
        let ran =
            signer.run(&[&["component", "verify", "weir.wasm", "--json"], arguments].concat());
        (ran.code, ran.json())
    };
    let (code, answer) = verify(&[]);
    assert_eq!((code, &answer["trusted"]), (1, &Value::Null));
    assert_eq!(answer["problems"], json!(["it is not signed"]));
    assert_eq!(answer["contract"], "weir:plugin@0.3.0");
    signer.sign("good");
    assert_eq!(verify(&["--key", "other.pub"]).0, 1);
    let (code, answer) = verify(&["--key", "other.pub", "--key", "good.pub"]);
    assert_eq!((code, &answer["trusted"]), (0, &json!("signed")));
    let key = SigningKey::from_file(&signer.sandbox.path().join("good.key")).unwrap();
    assert_eq!(answer["key"], key.public_key().fingerprint());

    fs::rename(signer.sandbox.path().join("weir.wasm.sig"), signer.sandbox.path().join("a.sig"))
        .unwrap();
    assert_eq!(verify(&["--key", "good.pub"]).0, 1);
    assert_eq!(verify(&["--key", "good.pub", "--signature", "a.sig"]).0, 0);
    let missing = verify(&["--key", "good.pub", "--signature", "b.sig"]);
    assert!(missing.0 == 1 && missing.1["problems"][0].as_str().unwrap().contains("b.sig"));
    for key in ["good.key", "weir.wasm", "none.pub"] {
        assert_eq!(
            signer.run(&["component", "verify", "weir.wasm", "--key", key]).code,
            2,
            "{key}"
        );
    }
}

/// What the library does with it: a host that sets `trust` runs nothing else.
#[test]
fn the_library_opens_what_its_trust_admits() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("weir.wasm");
    fs::write(&file, foreign()).unwrap();
    let key = SigningKey::generate().unwrap();
    let open = |trust: Trust, file: &Path| {
        Weir::builder()
            .component(ComponentSource::File(file.to_owned()))
            .cache(weir_tests::cache())
            .trust(trust)
            .open(sandbox.store())
    };
    let trust = Trust::of([key.public_key()]);
    assert!(matches!(open(trust.clone(), &file), Err(Error::UntrustedComponent { .. })));
    assert!(!sandbox.store().exists(), "no store is made for nothing");
    let signature = key.sign(foreign()).unwrap();
    fs::write(Signature::beside(&file), signature.to_base64()).unwrap();
    assert!(open(trust, &file).is_ok());
}
