//! The one HTTP client: TLS with the system's certificates and those that an entry names, proxies by
//! the usual variables.
//!
//! `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read in either case. Loopback addresses
//! are never asked for through a proxy.

use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::HeaderValue;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::{Method, Request, Uri, header};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use hyper_util::rt::TokioExecutor;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tower_service::Service;

/// How long a connection may take to be made.
pub const CONNECT: Duration = Duration::from_secs(10);

type Body = Full<Bytes>;
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Certificates of one server's own, beside the system's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tls {
    /// A PEM file with certificate authorities that are believed as well.
    pub ca: Option<PathBuf>,
    /// PEM files with our certificate and its key, for servers that ask who we are.
    pub client: Option<(PathBuf, PathBuf)>,
}

/// A client for requests with a body in memory. Redirects are never followed.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: Client<Connector, Body>,
    proxies: Arc<Matcher>,
}

impl HttpClient {
    /// A client for HTTP, and for HTTPS where that is needed.
    ///
    /// # Errors
    /// When certificates cannot be read.
    pub fn new(https: bool, own: &Tls) -> Result<HttpClient, String> {
        let proxies = Arc::new(Matcher::from_env());
        let connector = Connector::new(tls(https, own)?, Arc::clone(&proxies));
        Ok(HttpClient { client: Client::builder(TokioExecutor::new()).build(connector), proxies })
    }

    /// Sends a request.
    pub fn request(&self, mut request: Request<Body>) -> ResponseFuture {
        // A proxy for plain HTTP reads the request itself; one for HTTPS is told in its tunnel.
        if request.uri().scheme_str() == Some("http")
            && let Some(auth) =
                through(&self.proxies, request.uri()).and_then(|p| p.basic_auth().cloned())
        {
            request.headers_mut().insert(header::PROXY_AUTHORIZATION, auth);
        }
        self.client.request(request)
    }
}

/// The proxy that an address is reached through.
fn through(proxies: &Matcher, address: &Uri) -> Option<Intercept> {
    match address.host() {
        Some(host) if !is_loopback(host) => proxies.intercept(address),
        _ => None,
    }
}

/// Whether a host's name or address means this machine.
pub fn is_loopback(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

type Plain = HttpsConnector<HttpConnector>;

/// Makes connections, directly or through a proxy.
#[derive(Clone)]
struct Connector {
    tls: Arc<rustls::ClientConfig>,
    tcp: HttpConnector,
    direct: Plain,
    proxies: Arc<Matcher>,
}

impl Connector {
    fn new(tls: rustls::ClientConfig, proxies: Arc<Matcher>) -> Connector {
        let mut tcp = HttpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(CONNECT));
        tcp.set_nodelay(true);
        let tls = Arc::new(tls);
        let direct = over(&tls, tcp.clone());
        Connector { tls, tcp, direct, proxies }
    }

    async fn connect(mut self, address: Uri) -> Result<Stream, Failure> {
        let Some(proxy) = through(&self.proxies, &address) else {
            return Ok(Stream::new(self.direct.call(address).await?, false));
        };
        let failed = |error: Failure| -> Failure {
            // The address of a proxy may hold a password; its host does not.
            format!("through the proxy {}: {error}", proxy.uri().host().unwrap_or("")).into()
        };
        match proxy.uri().scheme_str() {
            Some("socks5" | "socks5h") => {
                let socks = SocksV5::new(proxy.uri().clone(), self.tcp.clone());
                let socks = match proxy.raw_auth() {
                    Some((user, password)) => socks.with_auth(user.into(), password.into()),
                    None => socks,
                };
                let stream = over(&self.tls, socks).call(address).await.map_err(failed)?;
                Ok(Stream::new(stream, false))
            }
            Some("http" | "https") if address.scheme_str() == Some("https") => {
                let mut tunnel = Tunnel::new(proxy.uri().clone(), self.direct.clone());
                if let Some(auth) = proxy.basic_auth() {
                    tunnel = tunnel.with_auth(auth.clone());
                }
                let stream = over(&self.tls, tunnel).call(address).await.map_err(failed)?;
                Ok(Stream::new(stream, false))
            }
            Some("http" | "https") => {
                let stream = self.direct.call(proxy.uri().clone()).await.map_err(failed)?;
                Ok(Stream::new(stream, true))
            }
            scheme => {
                Err(format!("proxies of kind {} are not supported", scheme.unwrap_or("")).into())
            }
        }
    }
}

fn over<C>(tls: &Arc<rustls::ClientConfig>, connector: C) -> HttpsConnector<C> {
    HttpsConnectorBuilder::new()
        .with_tls_config((**tls).clone())
        .https_or_http()
        .enable_http1()
        .wrap_connector(connector)
}

impl Service<Uri> for Connector {
    type Response = Stream;
    type Error = Failure;
    type Future = Pin<Box<dyn Future<Output = Result<Stream, Failure>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Failure>> {
        self.direct.poll_ready(context)
    }

    fn call(&mut self, address: Uri) -> Self::Future {
        Box::pin(self.clone().connect(address))
    }
}

trait Io: Read + Write + Connection + Send + Unpin {}
impl<T: Read + Write + Connection + Send + Unpin> Io for T {}

/// A connection, whatever lies between.
struct Stream {
    io: Box<dyn Io>,
    /// Whether the other end is a proxy that wants whole addresses in requests.
    proxied: bool,
}

impl Stream {
    fn new(io: impl Io + 'static, proxied: bool) -> Stream {
        Stream { io: Box::new(io), proxied }
    }
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        let connected = self.io.connected();
        if self.proxied { connected.proxy(true) } else { connected }
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }
}

fn tls(needed: bool, own: &Tls) -> Result<rustls::ClientConfig, String> {
    let mut roots = rustls::RootCertStore::empty();
    if needed {
        let found = rustls_native_certs::load_native_certs();
        let (added, _) = roots.add_parsable_certificates(found.certs);
        if added == 0 && own.ca.is_none() {
            let why = found.errors.first().map(|error| format!(": {error}")).unwrap_or_default();
            return Err(format!("the system's certificates cannot be read{why}"));
        }
        if let Some(file) = &own.ca {
            for certificate in certificates(file)? {
                roots.add(certificate).map_err(|error| unreadable(file, &error))?;
            }
        }
    }
    let builder = rustls::ClientConfig::builder_with_provider(Arc::new(
        rustls::crypto::ring::default_provider(),
    ))
    .with_safe_default_protocol_versions()
    .map_err(|error| format!("TLS cannot be set up: {error}"))?
    .with_root_certificates(roots);
    let Some((certificate, key)) = own.client.as_ref().filter(|_| needed) else {
        return Ok(builder.with_no_client_auth());
    };
    let private = PrivateKeyDer::from_pem_file(key).map_err(|error| unreadable(key, &error))?;
    builder
        .with_client_auth_cert(certificates(certificate)?, private)
        .map_err(|error| unreadable(certificate, &error))
}

fn unreadable(file: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{} cannot be used: {error}", file.display())
}

/// The certificates in a file, one at least.
///
/// # Errors
/// When the file is none of PEM; says so with its name.
pub fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let found: Vec<_> = CertificateDer::pem_file_iter(file)
        .and_then(Iterator::collect)
        .map_err(|error| unreadable(file, &error))?;
    if found.is_empty() {
        return Err(unreadable(file, &"it holds no certificate in PEM form"));
    }
    Ok(found)
}

/// A request that has no headers yet.
pub fn request(method: Method, address: Uri, body: impl Into<Bytes>) -> Request<Body> {
    let mut request = Request::new(Full::new(body.into()));
    *request.method_mut() = method;
    *request.uri_mut() = address;
    request
}

/// A header's value that no log shows; none where it cannot be sent.
pub fn secret(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok().filter(|value| value.to_str().is_ok())?;
    value.set_sensitive(true);
    Some(value)
}

/// The first bytes of an answer, as far as it comes.
pub async fn start_of(mut body: Incoming, most: usize) -> String {
    let mut text = Vec::new();
    while text.len() < most
        && let Some(Ok(frame)) = body.frame().await
    {
        let data = frame.data_ref().map_or(&[][..], |data| data);
        text.extend_from_slice(&data[..data.len().min(most - text.len())]);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// An error with all that caused it, in one line.
pub fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = error.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_never_reached_through_a_proxy() {
        let proxies = Matcher::builder().all("http://proxy:3128").no("internal.example").build();
        for (address, proxied) in [
            ("http://127.0.0.1:8080/mcp", false),
            ("http://localhost/mcp", false),
            ("http://[::1]:1/mcp", false),
            ("https://internal.example/mcp", false),
            ("https://mcp.example/mcp", true),
            ("http://mcp.example/mcp", true),
        ] {
            let address: Uri = address.parse().unwrap();
            assert_eq!(through(&proxies, &address).is_some(), proxied, "{address}");
        }
    }

    #[test]
    fn a_file_that_holds_no_certificate_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let own = Tls { ca: Some(file.path().to_owned()), client: None };
        let error = HttpClient::new(true, &own).unwrap_err();
        assert!(error.contains(&file.path().display().to_string()), "{error}");
        assert!(error.contains("no certificate"), "{error}");
    }

    fn file(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("src/net/test").join(name)
    }

    /// A server over TLS at this machine that answers everything with 204.
    async fn server(asks_who: bool) -> String {
        let provider = || Arc::new(rustls::crypto::ring::default_provider());
        let builder = rustls::ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .unwrap();
        let builder = if asks_who {
            let mut roots = rustls::RootCertStore::empty();
            certificates(&file("ca.pem"))
                .unwrap()
                .into_iter()
                .for_each(|one| roots.add(one).unwrap());
            let verifier = rustls::server::WebPkiClientVerifier::builder_with_provider(
                roots.into(),
                provider(),
            );
            builder.with_client_cert_verifier(verifier.build().unwrap())
        } else {
            builder.with_no_client_auth()
        };
        let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
        let config =
            builder.with_single_cert(certificates(&file("server.pem")).unwrap(), key).unwrap();
        let acceptor = tokio_rustls::TlsAcceptor::from(Arc::new(config));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                    let Ok(mut stream) = acceptor.accept(stream).await else { return };
                    let _ = stream.read(&mut [0; 4_096]).await;
                    let _ = stream.write_all(b"HTTP/1.1 204 X\r\nConnection: close\r\n\r\n").await;
                    let _ = stream.shutdown().await;
                });
            }
        });
        format!("https://{address}/")
    }

    async fn status(address: &str, own: &Tls) -> Result<u16, String> {
        let client = HttpClient::new(true, own)?;
        let request = Request::get(address).body(Body::default()).unwrap();
        let response = client.request(request).await.map_err(|error| causes(&error))?;
        Ok(response.status().as_u16())
    }

    #[tokio::test]
    async fn a_certificate_of_ones_own_is_believed_only_where_it_is_named() {
        let address = server(false).await;
        let own = Tls { ca: Some(file("ca.pem")), client: None };
        assert_eq!(status(&address, &own).await, Ok(204));
        // Whatever the system has, it is not this one. Where it has none, that is said.
        let error = status(&address, &Tls::default()).await.unwrap_err();
        assert!(error.contains("ertificate"), "{error}");
    }

    #[tokio::test]
    async fn who_we_are_is_shown_to_a_server_that_asks() {
        let address = server(true).await;
        let nobody = Tls { ca: Some(file("ca.pem")), client: None };
        assert!(status(&address, &nobody).await.is_err());
        let somebody = Tls { client: Some((file("client.pem"), file("client.key"))), ..nobody };
        assert_eq!(status(&address, &somebody).await, Ok(204));
    }
}
