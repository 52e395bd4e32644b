//! Signatures of component files: which files a host may run.
//!
//! The form is that of `cosign sign-blob --key` and `openssl dgst -sha256 -sign`: ECDSA over the curve
//! P-256 and SHA-256 of the file's bytes, the signature as DER in base64 in a file of its own
//! (`weir.wasm.sig`), public keys as PEM (`PUBLIC KEY`), private keys as PEM without a password
//! (`PRIVATE KEY`, PKCS#8).
//!
//! ```
//! use weir_host::signatures::{PublicKey, SigningKey, Trust};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let key = SigningKey::generate()?;
//! let signature = key.sign(b"the component's bytes")?;
//!
//! let public = PublicKey::from_pem(&key.public_key().to_pem())?;
//! assert!(public.verifies(b"the component's bytes", &signature));
//! let trust = Trust::of([public]);
//! assert!(trust.check(b"other bytes", Some(&signature)).is_err());
//! # Ok(())
//! # }
//! ```
//!
//! [`Builder::trust`](crate::Builder::trust) holds a component to it.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _,
    UnparsedPublicKey,
};
use rustls_pki_types::pem::PemObject as _;
use rustls_pki_types::{PrivatePkcs8KeyDer, SubjectPublicKeyInfoDer};
use sha2::{Digest as _, Sha256};

pub use crate::error::Distrust;
use crate::error::Error;
use crate::source::ComponentSource;

/// The most bytes that a component's file may have.
pub const COMPONENT_MAX_BYTES: u64 = 64 << 20;
/// The most bytes that the file of a key or of a signature may have.
const SMALL_MAX_BYTES: u64 = 16 << 10;

/// What stands before the point in a public key's DER: the algorithm is ECDSA, the curve P-256.
const PUBLIC_PREFIX: [u8; 26] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a,
    0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
];

/// A key or a signature that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("{0}")]
    Malformed(String),
    /// The system gave no random numbers, or the key is not a point of its curve.
    #[error("{0}")]
    Failed(&'static str),
}

fn malformed(text: impl Into<String>) -> KeyError {
    KeyError::Malformed(text.into())
}

/// A public key: ECDSA, P-256.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    /// The point, uncompressed.
    point: Vec<u8>,
}

impl PublicKey {
    /// Reads the first `PUBLIC KEY` in PEM.
    ///
    /// # Errors
    /// [`KeyError::Malformed`], with what the text is instead.
    pub fn from_pem(text: &str) -> Result<PublicKey, KeyError> {
        let der = SubjectPublicKeyInfoDer::from_pem_slice(text.as_bytes())
            .map_err(|_| malformed(instead_of_public(text)))?;
        match der.as_ref().strip_prefix(&PUBLIC_PREFIX) {
            Some(point) if point.len() == 65 && point[0] == 4 => {
                Ok(PublicKey { point: point.to_vec() })
            }
            _ => Err(malformed(
                "the public key is not of ECDSA over P-256: make one with `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256`",
            )),
        }
    }

    /// Reads a PEM file.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn from_file(path: &Path) -> Result<PublicKey, KeyError> {
        PublicKey::from_pem(&small_file(path)?)
            .map_err(|error| malformed(format!("{}: {error}", path.display())))
    }

    /// The key in PEM.
    #[must_use]
    pub fn to_pem(&self) -> String {
        to_pem("PUBLIC KEY", &self.to_der())
    }

    fn to_der(&self) -> Vec<u8> {
        [&PUBLIC_PREFIX, self.point.as_slice()].concat()
    }

    /// The SHA-256 of the key's DER, as `openssl pkey -pubin -in KEY -outform DER | sha256sum` prints
    /// it.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        weir_base::hex(&Sha256::digest(self.to_der()))
    }

    /// Whether this key made the signature, over these bytes.
    #[must_use]
    pub fn verifies(&self, bytes: &[u8], signature: &Signature) -> bool {
        let key = UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, &self.point);
        key.verify(bytes, &signature.0).is_ok()
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PublicKey").field(&self.fingerprint()).finish()
    }
}

fn instead_of_public(text: &str) -> &'static str {
    if text.contains("PRIVATE KEY") {
        "this is a private key; trust its public key (`openssl pkey -pubout -in KEY` prints it)"
    } else if text.contains("BEGIN CERTIFICATE") {
        "this is a certificate; a public key in PEM is needed (`openssl x509 -pubkey -noout -in FILE`)"
    } else {
        "there is no public key in PEM, which begins with -----BEGIN PUBLIC KEY-----"
    }
}

/// A private key to sign with: ECDSA, P-256.
pub struct SigningKey {
    pair: EcdsaKeyPair,
    pkcs8: Vec<u8>,
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey").field("public", &self.public_key()).finish_non_exhaustive()
    }
}

impl SigningKey {
    /// Makes a key.
    ///
    /// # Errors
    /// [`KeyError::Failed`] when the system gives no random numbers.
    pub fn generate() -> Result<SigningKey, KeyError> {
        let made =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &SystemRandom::new());
        let made = made.map_err(|_| KeyError::Failed("the system gives no random numbers"))?;
        SigningKey::from_pkcs8(made.as_ref())
    }

    fn from_pkcs8(der: &[u8]) -> Result<SigningKey, KeyError> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, der, &random)
            .map_err(|_| malformed("the private key is not of ECDSA over P-256"))?;
        Ok(SigningKey { pair, pkcs8: der.to_vec() })
    }

    /// Reads the first `PRIVATE KEY` in PEM.
    ///
    /// # Errors
    /// [`KeyError::Malformed`], with what the text is instead.
    pub fn from_pem(text: &str) -> Result<SigningKey, KeyError> {
        let der = PrivatePkcs8KeyDer::from_pem_slice(text.as_bytes())
            .map_err(|_| malformed(instead_of_private(text)))?;
        SigningKey::from_pkcs8(der.secret_pkcs8_der())
    }

    /// Reads a PEM file.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn from_file(path: &Path) -> Result<SigningKey, KeyError> {
        SigningKey::from_pem(&small_file(path)?)
            .map_err(|error| malformed(format!("{}: {error}", path.display())))
    }

    /// The key in PEM, without a password.
    #[must_use]
    pub fn to_pem(&self) -> String {
        to_pem("PRIVATE KEY", &self.pkcs8)
    }

    /// The other half, by which signatures are verified.
    #[must_use]
    pub fn public_key(&self) -> PublicKey {
        PublicKey { point: self.pair.public_key().as_ref().to_vec() }
    }

    /// Signs. Two signatures over the same bytes differ.
    ///
    /// # Errors
    /// [`KeyError::Failed`] when the system gives no random numbers.
    pub fn sign(&self, bytes: &[u8]) -> Result<Signature, KeyError> {
        match self.pair.sign(&SystemRandom::new(), bytes) {
            Ok(signature) => Ok(Signature(signature.as_ref().to_vec())),
            Err(_) => Err(KeyError::Failed("the system gives no random numbers")),
        }
    }
}

fn instead_of_private(text: &str) -> &'static str {
    if text.contains("BEGIN ENCRYPTED") {
        "the private key has a password: sign with the program that made it, and put the signature in \
         base64 beside the file (FILE.sig)"
    } else if text.contains("BEGIN EC PRIVATE KEY") {
        "the private key is in an older form; convert it with `openssl pkcs8 -topk8 -nocrypt -in KEY`"
    } else if text.contains("BEGIN PUBLIC KEY") {
        "this is a public key; the private one signs"
    } else {
        "there is no private key in PEM, which begins with -----BEGIN PRIVATE KEY-----"
    }
}

/// A signature, as DER.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature(Vec<u8>);

impl Signature {
    /// Reads base64, with or without ends of lines.
    ///
    /// # Errors
    /// [`KeyError::Malformed`].
    pub fn from_base64(text: &str) -> Result<Signature, KeyError> {
        let text: String = text.split_whitespace().collect();
        match STANDARD.decode(&text) {
            // A DER sequence of two numbers of up to 33 bytes.
            Ok(der) if (8..=72).contains(&der.len()) && der[0] == 0x30 => Ok(Signature(der)),
            _ => Err(malformed("not a signature of ECDSA over P-256 in base64")),
        }
    }

    /// Reads a file of base64.
    ///
    /// # Errors
    /// [`KeyError`].
    pub fn from_file(path: &Path) -> Result<Signature, KeyError> {
        Signature::from_base64(&small_file(path)?)
            .map_err(|error| malformed(format!("{}: {error}", path.display())))
    }

    /// The signature in base64, on one line.
    #[must_use]
    pub fn to_base64(&self) -> String {
        STANDARD.encode(&self.0)
    }

    /// Where the signature of a file is: beside it, with `.sig` after its whole name.
    #[must_use]
    pub fn beside(file: &Path) -> PathBuf {
        let mut name = file.as_os_str().to_owned();
        name.push(".sig");
        name.into()
    }
}

/// Which component files may run.
///
/// One that is signed by a trusted key may, and the one that this library embeds. Any other may only
/// where [`Trust::allow_unsigned`] says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trust {
    keys: Vec<PublicKey>,
    unsigned: bool,
}

/// Why a component may run.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trusted {
    /// It is the one that this library embeds.
    Embedded,
    /// This key signed it.
    Signed(PublicKey),
    /// It was allowed, whatever its signature.
    Allowed,
}

impl Trust {
    /// Trusts these keys.
    #[must_use]
    pub fn of(keys: impl IntoIterator<Item = PublicKey>) -> Trust {
        Trust { keys: keys.into_iter().collect(), unsigned: false }
    }

    /// Lets components run that no trusted key signed.
    #[must_use]
    pub fn allow_unsigned(mut self, allowed: bool) -> Trust {
        self.unsigned = allowed;
        self
    }

    /// Whether a component may run, and why.
    ///
    /// # Errors
    /// [`Distrust`].
    pub fn check(&self, bytes: &[u8], signature: Option<&Signature>) -> Result<Trusted, Distrust> {
        if ComponentSource::is_embedded(bytes) {
            return Ok(Trusted::Embedded);
        }
        let refused = match signature {
            Some(signature) => match self.keys.iter().find(|key| key.verifies(bytes, signature)) {
                Some(key) => return Ok(Trusted::Signed(key.clone())),
                None if self.keys.is_empty() => Distrust::NoKeys,
                None => Distrust::Mismatch { keys: self.keys.len() },
            },
            None => Distrust::Unsigned,
        };
        if self.unsigned { Ok(Trusted::Allowed) } else { Err(refused) }
    }

    /// Reads a component and checks it. A file's signature is beside it ([`Signature::beside`]). What
    /// comes back is the bytes that were checked, so that a file that changes meanwhile does not matter.
    ///
    /// # Errors
    /// [`Error::UntrustedComponent`], [`Error::MissingComponent`], [`Error::NotEmbedded`].
    pub fn admit(&self, source: &ComponentSource) -> Result<ComponentSource, Error> {
        let (bytes, path) = match source {
            ComponentSource::Embedded => return Ok(ComponentSource::Embedded),
            ComponentSource::Bytes(bytes) => (bytes.clone(), None),
            ComponentSource::File(path) => (component_file(path)?, Some(path)),
        };
        let refused = |reason| Error::UntrustedComponent { path: path.cloned(), reason };
        let signature = path.map(|path| Signature::beside(path));
        let signature = match signature.as_deref().map(Signature::from_file) {
            None => Ok(None),
            Some(Ok(signature)) => Ok(Some(signature)),
            Some(Err(KeyError::Unreadable { source, .. }))
                if source.kind() == io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Some(Err(error)) => Err(Distrust::Malformed(error.to_string())),
        };
        let checked = match signature {
            Ok(signature) => self.check(&bytes, signature.as_ref()),
            // What is broken is as good as none where none is needed.
            Err(reason) => self.check(&bytes, None).map_err(|_| reason),
        };
        match checked.map_err(refused)? {
            Trusted::Embedded => Ok(ComponentSource::Embedded),
            Trusted::Signed(_) | Trusted::Allowed => Ok(ComponentSource::Bytes(bytes)),
        }
    }
}

/// Reads a component's file, up to [`COMPONENT_MAX_BYTES`].
///
/// # Errors
/// [`Error::MissingComponent`].
pub fn component_file(path: &Path) -> Result<Vec<u8>, Error> {
    limited(path, COMPONENT_MAX_BYTES)
        .map_err(|source| Error::MissingComponent { path: path.to_owned(), source })
}

fn small_file(path: &Path) -> Result<String, KeyError> {
    let unreadable = |source| KeyError::Unreadable { path: path.to_owned(), source };
    let bytes = limited(path, SMALL_MAX_BYTES).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|_| malformed(format!("{} is not text", path.display())))
}

fn limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let message = format!("the file has more than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn to_pem(label: &str, der: &[u8]) -> String {
    let mut pem = format!("-----BEGIN {label}-----\n");
    for line in STANDARD.encode(der).as_bytes().chunks(64) {
        pem.push_str(&String::from_utf8_lossy(line));
        pem.push('\n');
    }
    pem.push_str(&format!("-----END {label}-----\n"));
    pem
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made by OpenSSL: a key, its public key, and a signature over `the file`.
    const PRIVATE: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiAIB4PmNzAWQZt45
3IQPiQ42InLVf83UD/Pmyr0tl86hRANCAAS1W/d/jfb+GNcXmBqP5RsKr6E/AR81
ikN1r1Y1OViFh+U+KKvJrNV5T99YmvYK97HOQCxBGn6oiYLOB9s+RdzH
-----END PRIVATE KEY-----
";
    const PUBLIC: &str = "\
-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtVv3f432/hjXF5gaj+UbCq+hPwEf
NYpDda9WNTlYhYflPiiryazVeU/fWJr2CvexzkAsQRp+qImCzgfbPkXcxw==
-----END PUBLIC KEY-----
";
    const SIGNATURE: &str = "MEUCIQCHlJype1QTkG9HYJcnK67dz/QSNcUC/t+BvMilJ0yZPQIgEEZagCoDL9ZzyUtOZHdVHe69dB1JbTbfZSVuqZiB0O4=";
    const FINGERPRINT: &str = "9efb03505351bd2cc067ff74fd923a7ed960856e0a5becf1c61685015a16343e";
    /// Public keys of other kinds: P-384 and Ed25519.
    const OTHERS: [&str; 2] = [
        "-----BEGIN PUBLIC KEY-----\nMHYwEAYHKoZIzj0CAQYFK4EEACIDYgAEILnx4I4Rq2XwxbzQ6TkxFLXPkxVstNJJbVHSQ8/0RXMOfcU95LatuxGo3N6rpY6HA2Q62EDhVzYlfMFAmDvhiW57Y6lUSET7lNh+yqlqDfWIj04XnkgTbIfh7ETv85zp\n-----END PUBLIC KEY-----\n",
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA50gIH8j+SZev0VFHHJS7eaufZb6+TMFYku2tHK304bA=\n-----END PUBLIC KEY-----\n",
    ];

    #[test]
    fn keys_and_signatures_are_those_of_openssl() {
        let public = PublicKey::from_pem(PUBLIC).unwrap();
        let signature = Signature::from_base64(SIGNATURE).unwrap();
        assert!(public.verifies(b"the file", &signature));
        assert_eq!(public.fingerprint(), FINGERPRINT);
        assert_eq!(public.to_pem(), PUBLIC);
        let private = SigningKey::from_pem(PRIVATE).unwrap();
        assert_eq!(private.public_key(), public);
        assert_eq!(private.to_pem(), PRIVATE);
        let own = private.sign(b"the file").unwrap();
        assert!(public.verifies(b"the file", &own));
        assert_eq!(Signature::from_base64(&format!("{}\n", own.to_base64())).unwrap(), own);
    }

    #[test]
    fn no_changed_byte_and_no_other_key_passes() {
        let public = PublicKey::from_pem(PUBLIC).unwrap();
        let signature = Signature::from_base64(SIGNATURE).unwrap();
        for other in ["", "the fil", "the file ", "The file"] {
            assert!(!public.verifies(other.as_bytes(), &signature), "{other:?}");
        }
        for at in 0..signature.0.len() {
            for bit in 0..8 {
                let mut changed = signature.clone();
                changed.0[at] ^= 1 << bit;
                assert!(!public.verifies(b"the file", &changed), "byte {at}, bit {bit}");
            }
        }
        let other = SigningKey::generate().unwrap();
        assert!(!other.public_key().verifies(b"the file", &signature));
        assert!(!public.verifies(b"the file", &other.sign(b"the file").unwrap()));
    }

    #[test]
    fn what_is_no_key_and_no_signature_is_told_as_what_it_is() {
        let error = |text: &str| PublicKey::from_pem(text).unwrap_err().to_string();
        assert!(error(PRIVATE).contains("a private key"));
        assert!(error("ssh-ed25519 AAAA").contains("no public key in PEM"));
        for other in OTHERS {
            assert!(error(other).contains("not of ECDSA over P-256"), "{}", error(other));
        }
        let error = |text: &str| SigningKey::from_pem(text).unwrap_err().to_string();
        assert!(error(PUBLIC).contains("a public key"));
        let encrypted = "-----BEGIN ENCRYPTED SIGSTORE PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED SIGSTORE PRIVATE KEY-----\n";
        assert!(error(encrypted).contains("password"));
        assert!(error("-----BEGIN EC PRIVATE KEY-----\nAAAA\n").contains("openssl pkcs8"));
        let broken = PRIVATE.replace("hRANC", "hRAND");
        assert!(error(&broken).contains("not of ECDSA over P-256"), "{}", error(&broken));
        for text in ["", "!", "AAAA", "MEUCIQCHlJype1QTkG9HYJcnK67dz", &SIGNATURE.repeat(2)] {
            assert!(Signature::from_base64(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_component_is_admitted_by_its_signature_or_by_permission() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("weir.wasm");
        std::fs::write(&file, "the file").unwrap();
        let source = ComponentSource::File(file.clone());
        let read = ComponentSource::Bytes(b"the file".to_vec());
        let key = PublicKey::from_pem(PUBLIC).unwrap();
        let other = SigningKey::generate().unwrap().public_key();
        let trust = Trust::of([other.clone(), key.clone()]);
        let refused = |trust: &Trust| match trust.admit(&source) {
            Err(Error::UntrustedComponent { reason, path }) => {
                assert_eq!(path.as_ref(), Some(&file));
                reason
            }
            other => panic!("{other:?}"),
        };

        assert_eq!(refused(&trust), Distrust::Unsigned);
        assert_eq!(trust.clone().allow_unsigned(true).admit(&source).unwrap(), read);
        let beside = Signature::beside(&file);
        assert_eq!(beside, folder.path().join("weir.wasm.sig"));
        std::fs::write(&beside, SIGNATURE).unwrap();
        assert_eq!(trust.admit(&source).unwrap(), read);
        assert_eq!(refused(&Trust::default()), Distrust::NoKeys);
        assert_eq!(refused(&Trust::of([other])), Distrust::Mismatch { keys: 1 });
        std::fs::write(&beside, "not base64").unwrap();
        assert!(matches!(refused(&trust), Distrust::Malformed(_)));
        assert_eq!(trust.clone().allow_unsigned(true).admit(&source).unwrap(), read);
        std::fs::write(&beside, SIGNATURE).unwrap();
        std::fs::write(&file, "the filE").unwrap();
        assert_eq!(refused(&trust), Distrust::Mismatch { keys: 2 });
        // Bytes have no signature beside them.
        assert!(trust.admit(&read).is_err());
        assert!(
            trust.check(b"the file", Some(&Signature::from_base64(SIGNATURE).unwrap())).is_ok()
        );
        assert_eq!(trust.admit(&ComponentSource::Embedded).unwrap(), ComponentSource::Embedded);
    }
}
