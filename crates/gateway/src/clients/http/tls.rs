//! TLS of the endpoint, by rustls, with the user's own certificate.
//!
//! The files are looked at now and then: a renewed certificate is taken over without a restart. Files that
//! cannot be used, such as half of a pair, change nothing, and that is said once.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use tokio_rustls::TlsAcceptor;
use weir_base::Mutex;

/// How often the files are looked at.
const LOOK: Duration = Duration::from_secs(2);

/// Where the certificate is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TlsFiles {
    /// The certificate, with those between it and the authority behind it, in PEM.
    pub cert: PathBuf,
    /// Its private key, in PEM.
    pub key: PathBuf,
}

type Stamp = [Option<(SystemTime, u64)>; 2];

impl TlsFiles {
    fn stamp(&self) -> Stamp {
        [&self.cert, &self.key].map(|file| {
            std::fs::metadata(file).and_then(|meta| Ok((meta.modified()?, meta.len()))).ok()
        })
    }

    fn read(&self) -> io::Result<Arc<CertifiedKey>> {
        let bad = |file: &Path, why: String| io::Error::other(format!("{}: {why}", file.display()));
        let chain = weir_mcp::net::certificates(&self.cert).map_err(io::Error::other)?;
        let key = PrivateKeyDer::from_pem_file(&self.key)
            .map_err(|error| bad(&self.key, error.to_string()))?;
        let key = ring::sign::any_supported_type(&key)
            .map_err(|error| bad(&self.key, error.to_string()))?;
        let certified = CertifiedKey::new(chain, key);
        match certified.keys_match() {
            // Unknown: a kind of key that does not tell.
            Ok(()) | Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::Unknown)) => {
                Ok(Arc::new(certified))
            }
            Err(_) => Err(bad(&self.key, "it is not the key of the certificate".into())),
        }
    }
}

/// The certificate in use.
#[derive(Debug)]
struct Current(Mutex<Arc<CertifiedKey>>);

impl ResolvesServerCert for Current {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.0.lock()))
    }
}

/// What turns connections into encrypted ones. Must be called within a tokio runtime.
pub(super) fn acceptor(files: TlsFiles) -> io::Result<TlsAcceptor> {
    let stamp = files.stamp();
    let current = Arc::new(Current(Mutex::new(files.read()?)));
    tokio::spawn(renew(Arc::downgrade(&current), files, stamp));
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_cert_resolver(current);
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

async fn renew(current: Weak<Current>, files: TlsFiles, mut seen: Stamp) {
    loop {
        tokio::time::sleep(LOOK).await;
        let Some(current) = current.upgrade() else { return };
        let looking = files.clone();
        let before = seen;
        let looked = tokio::task::spawn_blocking(move || {
            let now = looking.stamp();
            (now, (now != before).then(|| looking.read()))
        });
        let Ok((now, read)) = looked.await else { return };
        seen = now;
        match read {
            None => {}
            Some(Ok(key)) => {
                *current.0.lock() = key;
                tracing::info!("the certificate was read anew");
            }
            Some(Err(error)) => {
                tracing::warn!("the certificate that was there before stays in use: {error}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use rustls::pki_types::{CertificateDer, ServerName};
    use rustls::{ClientConfig, RootCertStore};
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::TlsConnector;

    use super::*;
    use crate::clients::http::{HttpOptions, serve};
    use crate::clients::identity::{Profile, Token, Tokens};
    use crate::gateway::Gateway;
    use crate::operations::gate::Gate;
    use crate::options::Options;

    /// Self-signed for `localhost`, made for this test and good for nothing else.
    const FIRST: [&str; 2] =
        [include_str!("tls/first.cert.pem"), include_str!("tls/first.key.pem")];
    const SECOND: [&str; 2] =
        [include_str!("tls/second.cert.pem"), include_str!("tls/second.key.pem")];

    fn write(dir: &Path, [cert, key]: [&str; 2]) -> TlsFiles {
        let files = TlsFiles { cert: dir.join("cert.pem"), key: dir.join("key.pem") };
        std::fs::write(&files.cert, cert).unwrap();
        std::fs::write(&files.key, key).unwrap();
        files
    }

    /// What the endpoint answers to a client that trusts this certificate only.
    async fn ask(address: std::net::SocketAddr, cert: &str) -> io::Result<String> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from_pem_slice(cert.as_bytes()).unwrap()).unwrap();
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(roots)
            .with_no_client_auth();
        let stream = tokio::net::TcpStream::connect(address).await?;
        let name = ServerName::try_from("localhost").unwrap();
        let mut stream = TlsConnector::from(Arc::new(config)).connect(name, stream).await?;
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).await?;
        let mut answer = String::new();
        // Not every end is told in TLS too.
        let _ = stream.read_to_string(&mut answer).await;
        Ok(answer)
    }

    #[test]
    fn files_that_are_no_pair_are_refused_with_the_file_that_is_wrong() {
        let dir = tempfile::tempdir().unwrap();
        assert!(write(dir.path(), FIRST).read().is_ok());
        let mixed = write(dir.path(), [FIRST[0], SECOND[1]]).read().unwrap_err().to_string();
        assert!(mixed.contains("key.pem") && mixed.contains("not the key"), "{mixed}");
        let empty = write(dir.path(), ["", FIRST[1]]).read().unwrap_err().to_string();
        assert!(empty.contains("cert.pem") && empty.contains("no certificate"), "{empty}");
        let swapped = write(dir.path(), [FIRST[1], FIRST[0]]).read();
        assert!(swapped.is_err());
        std::fs::remove_file(dir.path().join("key.pem")).unwrap();
        std::fs::write(dir.path().join("cert.pem"), FIRST[0]).unwrap();
        let files = TlsFiles { cert: dir.path().join("cert.pem"), key: dir.path().join("key.pem") };
        assert!(files.read().unwrap_err().to_string().contains("key.pem"));
    }

    #[tokio::test]
    async fn the_endpoint_is_encrypted_and_a_renewed_certificate_is_taken_over() {
        let dir = tempfile::tempdir().unwrap();
        let files = write(dir.path(), FIRST);
        let gateway = Gateway::new(
            Vec::new(),
            Gate::new(Err("not needed".into()), "one"),
            Options::new(dir.path().to_owned()),
        )
        .unwrap();
        let token = Token::new("tok-1", Profile::default());
        let options = HttpOptions {
            address: "127.0.0.1:0".parse().unwrap(),
            tokens: Tokens::new(vec![token], None),
            hosts: Vec::new(),
            origins: Vec::new(),
            metrics: false,
            ui: false,
            tls: Some(files),
            grace: std::time::Duration::ZERO,
            url: None,
            key: None,
        };
        let (tell, bound) = tokio::sync::oneshot::channel();
        let serving =
            serve(gateway, options, |address| tell.send(address).unwrap(), std::future::pending);
        tokio::spawn(serving);
        let address = bound.await.unwrap();
        let answer = ask(address, FIRST[0]).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("ok\n"), "{answer}");
        assert!(ask(address, SECOND[0]).await.is_err(), "it is not that one");
        // Plain text is no greeting here, and keeps nobody out.
        let mut plain = tokio::net::TcpStream::connect(address).await.unwrap();
        plain.write_all(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut answer = Vec::new();
        let _ = plain.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
        // Half of a new pair changes nothing, the whole does.
        std::fs::write(dir.path().join("cert.pem"), SECOND[0]).unwrap();
        tokio::time::sleep(LOOK + LOOK / 2).await;
        assert!(ask(address, FIRST[0]).await.is_ok());
        std::fs::write(dir.path().join("key.pem"), SECOND[1]).unwrap();
        let deadline = tokio::time::Instant::now() + Duration::from_secs(60);
        while ask(address, SECOND[0]).await.is_err() {
            assert!(
                tokio::time::Instant::now() < deadline,
                "the new certificate is not taken over"
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
}
