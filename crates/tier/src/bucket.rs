//! Objects in a bucket, through the crate `object_store` over our own HTTP client.

use std::io::Write;
use std::path::Path as File;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures_util::{StreamExt as _, TryStreamExt as _};
use http_body_util::BodyExt as _;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::client::{
    ClientOptions, HttpClient as Client, HttpConnector, HttpError, HttpErrorKind, HttpRequest,
    HttpResponse, HttpService,
};
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{
    BackoffConfig, Error, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, PutPayload,
    RetryConfig, UpdateVersion, WriteMultipart,
};
use tokio::time::timeout;
use weir_mcp::net::{HttpClient, Tls, causes};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{TierError, blocking};
use crate::objects::{Found, Objects};
use crate::settings::Settings;

/// Bytes that go in one request; more are sent and fetched in parts of that size.
const PART_BYTES: u64 = 8 << 20;
/// Parts of an object on their way at a time.
const PARTS: usize = 4;
/// How long a server may be silent.
const SILENCE: Duration = Duration::from_secs(20);
/// How long the rest of an answer may take.
const WHOLE: Duration = Duration::from_secs(60);
/// How long a request is tried again.
const TRIED: Duration = Duration::from_secs(15);
/// How often a small object may come damaged.
const DAMAGED: u32 = 4;
/// How often a request is tried again.
const TRIES: usize = 6;

/// A bucket, or a prefix of one.
#[derive(Debug)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    prefix: String,
}

impl Bucket {
    /// The bucket of an address. Keys come from the usual variables of AWS, Google Cloud or Azure, a web identity or the
    /// machine's role.
    pub(crate) fn open(settings: &Settings) -> Result<Bucket, TierError> {
        Bucket::with(AmazonS3Builder::from_env(), settings)
    }

    fn with(builder: AmazonS3Builder, settings: &Settings) -> Result<Bucket, TierError> {
        let wrong = || {
            let url = &settings.url;
            TierError::new(format!(
                "{url:?} is not s3://BUCKET/PREFIX, gs://BUCKET/PREFIX, az://CONTAINER/PREFIX or the whole path of a directory"
            ))
        };
        let url = url::Url::parse(&settings.url).map_err(|_| wrong())?;
        let bucket = url.host_str().ok_or_else(wrong)?;
        let ours = Ours(Tls { ca: settings.ca.clone(), client: None });
        let retry = RetryConfig {
            backoff: BackoffConfig {
                init_backoff: Duration::from_millis(50),
                max_backoff: Duration::from_secs(3),
                base: 2.0,
            },
            max_retries: TRIES,
            retry_timeout: TRIED,
        };
        let endpoint = settings.endpoint.as_deref();
        let store: Arc<dyn ObjectStore> = match url.scheme() {
            "s3" => {
                let mut builder = builder.with_bucket_name(bucket);
                if let Some(region) = &settings.region {
                    builder = builder.with_region(region);
                }
                if let Some(endpoint) = endpoint {
                    builder = builder.with_endpoint(endpoint).with_allow_http(true);
                }
                let store = builder.with_http_connector(ours).with_retry(retry).build();
                Arc::new(store.map_err(failed)?)
            }
            "gs" => {
                let mut builder = GoogleCloudStorageBuilder::from_env().with_bucket_name(bucket);
                if let Some(endpoint) = endpoint {
                    builder = builder.with_base_url(endpoint);
                }
                let store = builder.with_http_connector(ours).with_retry(retry).build();
                Arc::new(store.map_err(failed)?)
            }
            "az" => {
                let mut builder = MicrosoftAzureBuilder::from_env().with_container_name(bucket);
                if let Some(endpoint) = endpoint {
                    builder = builder.with_endpoint(endpoint.to_owned()).with_allow_http(true);
                }
                let store = builder.with_http_connector(ours).with_retry(retry).build();
                Arc::new(store.map_err(failed)?)
            }
            _ => return Err(wrong()),
        };
        Ok(Bucket::over(store, url.path().trim_matches('/')))
    }

    /// Below a prefix of any store of that crate which has conditional writes.
    pub fn over(store: Arc<dyn ObjectStore>, prefix: &str) -> Bucket {
        let prefix = match prefix {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        Bucket { store, prefix }
    }

    fn path(&self, name: &str) -> Path {
        Path::from(format!("{}{name}", self.prefix))
    }

    fn found(&self, meta: ObjectMeta) -> Found {
        let name = meta.location.as_ref();
        Found {
            name: name.strip_prefix(&self.prefix).unwrap_or(name).to_owned(),
            bytes: meta.size,
            modified: meta.last_modified.into(),
            // Azure's listings leave the quotes out.
            tag: meta.e_tag.unwrap_or_default().trim_matches('"').to_owned(),
        }
    }

    /// A small object and its version. One that comes damaged is asked for again.
    async fn small(&self, name: &str) -> Result<Option<(Vec<u8>, UpdateVersion)>, TierError> {
        for _ in 0..DAMAGED {
            let Some(result) = there(self.store.get(&self.path(name)).await)? else {
                return Ok(None);
            };
            let (e_tag, version) = (result.meta.e_tag.clone(), result.meta.version.clone());
            let bytes = result.bytes().await.map_err(failed)?;
            if let Some(text) = unsealed(&bytes) {
                return Ok(Some((text.to_vec(), UpdateVersion { e_tag, version })));
            }
        }
        Err(TierError::new(format!("{name} comes damaged")))
    }

    async fn write(&self, name: &str, bytes: Vec<u8>, mode: PutMode) -> Result<bool, TierError> {
        let is_new = mode == PutMode::Create;
        match self.store.put_opts(&self.path(name), PutPayload::from(bytes), mode.into()).await {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            // So a version that is no more; of a new object it means the bucket.
            Err(Error::NotFound { .. }) if !is_new => Ok(false),
            Err(error) => Err(failed(error)),
        }
    }
}

/// Nothing, where there is no such object.
fn there<R>(result: Result<R, Error>) -> Result<Option<R>, TierError> {
    match result {
        Ok(value) => Ok(Some(value)),
        // A bucket that is missing is not an object that is missing.
        Err(Error::NotFound { source, .. })
            if !NO_BUCKET.iter().any(|sign| causes(&*source).contains(sign)) =>
        {
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// A small object with a checksum in a line behind it.
fn sealed(text: &[u8]) -> Vec<u8> {
    [text, format!("\n{:016x}", xxh3_64(text)).as_bytes()].concat()
}

/// What was sealed, if it is what it was.
fn unsealed(bytes: &[u8]) -> Option<&[u8]> {
    let text = bytes.get(..bytes.len().checked_sub(17)?)?;
    (sealed(text) == bytes).then_some(text)
}

/// Reads a part of a file, off the threads of the runtime.
async fn part(file: &File, at: u64) -> Result<Vec<u8>, TierError> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let file = file.to_owned();
    let read = blocking(move || {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(file)?;
        file.seek(SeekFrom::Start(at))?;
        file.take(PART_BYTES).read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    read.await.map_err(|error| TierError::new(format!("a stored result cannot be read: {error}")))
}

#[async_trait]
impl Objects for Bucket {
    async fn put(&self, name: &str, file: &File) -> Result<bool, TierError> {
        let first = part(file, 0).await?;
        if (first.len() as u64) < PART_BYTES {
            return match self.write(name, first, PutMode::Create).await {
                Ok(false) if self.stat(name).await?.is_none() => {
                    Err(TierError::new(format!("the bucket did not take {name}")))
                }
                written => written,
            };
        }
        // Parts have no condition: two that send the same at the same time write the same.
        if self.stat(name).await?.is_some() {
            return Ok(false);
        }
        let upload = self.store.put_multipart(&self.path(name)).await.map_err(failed)?;
        let mut writer = WriteMultipart::new_with_chunk_size(upload, PART_BYTES as usize);
        let (mut bytes, mut at) = (first, 0);
        while !bytes.is_empty() {
            at += bytes.len() as u64;
            writer.wait_for_capacity(PARTS).await.map_err(failed)?;
            writer.put(bytes.into());
            bytes = part(file, at).await?;
        }
        writer.finish().await.map_err(failed)?;
        Ok(true)
    }

    async fn get(&self, name: &str, into: &mut (dyn Write + Send)) -> Result<bool, TierError> {
        let path = self.path(name);
        let first = self.store.get_opts(&path, range(0, PART_BYTES)).await;
        let Some(first) = there(first)? else { return Ok(false) };
        let size = first.meta.size;
        let bytes = first.bytes().await.map_err(failed)?;
        let mut write =
            |bytes: &[u8]| into.write_all(bytes).map_err(|error| TierError::new(error.to_string()));
        write(&bytes)?;
        let starts = (bytes.len() as u64..size).step_by(PART_BYTES as usize);
        let parts = starts.map(|start| {
            let (store, path) = (&self.store, &path);
            async move { store.get_range(path, start..size.min(start + PART_BYTES)).await }
        });
        let mut parts = futures_util::stream::iter(parts).buffered(PARTS);
        while let Some(part) = parts.next().await {
            write(&part.map_err(failed)?)?;
        }
        Ok(true)
    }

    async fn stat(&self, name: &str) -> Result<Option<Found>, TierError> {
        Ok(there(self.store.head(&self.path(name)).await)?.map(|meta| self.found(meta)))
    }

    async fn rename(&self, from: &str, to: &str) -> Result<bool, TierError> {
        let (from, to) = (self.path(from), self.path(to));
        let moved = there(self.store.copy(&from, &to).await)?.is_some();
        there(self.store.delete(&from).await)?;
        Ok(moved)
    }

    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, TierError> {
        self.write(name, sealed(bytes), PutMode::Create).await
    }

    async fn replace(
        &self,
        name: &str,
        bytes: &[u8],
        tag: Option<&str>,
    ) -> Result<bool, TierError> {
        let Some(tag) = tag else { return self.create(name, bytes).await };
        let Some(meta) = there(self.store.head(&self.path(name)).await)? else { return Ok(false) };
        let (e_tag, version) = (meta.e_tag.clone(), meta.version.clone());
        let update = PutMode::Update(UpdateVersion { e_tag, version });
        Ok(self.found(meta).tag == tag && self.write(name, sealed(bytes), update).await?)
    }

    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        Ok(self.small(name).await?.map(|(bytes, _)| bytes))
    }

    async fn renew(&self, name: &str) -> Result<Option<Vec<u8>>, TierError> {
        let Some((bytes, version)) = self.small(name).await? else { return Ok(None) };
        if self.write(name, sealed(&bytes), PutMode::Update(version)).await? {
            return Ok(Some(bytes));
        }
        // Another renewed it just now, or removed it.
        self.read(name).await
    }

    async fn remove(&self, name: &str) -> Result<(), TierError> {
        there(self.store.delete(&self.path(name)).await).map(drop)
    }

    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        each: &mut (dyn FnMut(Found) + Send),
    ) -> Result<(), TierError> {
        let prefix = self.path(prefix);
        let mut listing = match after {
            Some(after) => self.store.list_with_offset(Some(&prefix), &self.path(after)),
            None => self.store.list(Some(&prefix)),
        };
        while let Some(meta) = listing.try_next().await.map_err(failed)? {
            each(self.found(meta));
        }
        Ok(())
    }
}

fn range(start: u64, end: u64) -> object_store::GetOptions {
    object_store::GetOptions { range: Some((start..end).into()), ..Default::default() }
}

/// What servers say where there is no such bucket.
const NO_BUCKET: [&str; 3] =
    ["NoSuchBucket", "ContainerNotFound", "The specified bucket does not exist"];

/// What servers call the usual mistakes, and one sentence for each.
const MISTAKES: [(&str, &str); 22] = [
    (NO_BUCKET[0], "there is no such bucket"),
    (NO_BUCKET[1], "there is no such container"),
    (NO_BUCKET[2], "there is no such bucket"),
    ("Account must be specified", "no account is set: see AZURE_STORAGE_ACCOUNT_NAME"),
    ("AuthenticationFailed", "the account's key is wrong: see AZURE_STORAGE_ACCOUNT_KEY"),
    ("InvalidAuthenticationInfo", "the account's key is wrong: see AZURE_STORAGE_ACCOUNT_KEY"),
    (
        "metadata/identity",
        "no key is set, and the machine has no identity: set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY",
    ),
    (
        "AuthorizationFailure",
        "the account's key is wrong or may not do that there: see AZURE_STORAGE_ACCOUNT_KEY",
    ),
    ("AuthorizationPermissionMismatch", "the key may not do that there"),
    ("AuthenticationRequired", "the account is not known there: see GOOGLE_SERVICE_ACCOUNT"),
    ("invalid_grant", "the account's key is wrong: see GOOGLE_SERVICE_ACCOUNT"),
    (
        "computeMetadata",
        "no key is set, and the machine has no identity: set GOOGLE_SERVICE_ACCOUNT to the file of a service account",
    ),
    ("InvalidAccessKeyId", "the access key is not known there: see AWS_ACCESS_KEY_ID"),
    ("SignatureDoesNotMatch", "the secret key is wrong: see AWS_SECRET_ACCESS_KEY"),
    ("RequestTimeTooSkewed", "this machine's clock is too far from the server's"),
    ("RequestExpired", "this machine's clock is too far from the server's"),
    (
        "AuthorizationHeaderMalformed",
        "the region is wrong: see AWS_REGION, or `region` of the setting",
    ),
    ("PermanentRedirect", "the region is wrong: see AWS_REGION, or `region` of the setting"),
    ("configured region", "the region is wrong: see AWS_REGION, or `region` of the setting"),
    ("ExpiredToken", "the key's session token is over"),
    (
        "169.254.169.254",
        "no key is set, and the machine has no role: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    ("AccessDenied", "the key may not do that there"),
];

fn failed(error: Error) -> TierError {
    let text = causes(&error).replace('\n', " ");
    if let Some((_, sentence)) = MISTAKES.iter().find(|(sign, _)| text.contains(sign)) {
        return TierError::new((*sentence).to_owned());
    }
    let address = text.split_whitespace().find(|word| word.starts_with("http"));
    let clip = |text: &str| weir_base::clip(text, 400);
    TierError::new(match (address, text.split_once("(Connect): ")) {
        (Some(address), Some((_, cause))) => {
            let server = address.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
            let cause = clip(cause);
            format!(
                "{server} cannot be reached: {cause}; see `endpoint` and `region` of the setting"
            )
        }
        _ => clip(&text),
    })
}

/// Makes clients that are ours.
#[derive(Debug)]
struct Ours(Tls);

impl HttpConnector for Ours {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<Client> {
        let client = HttpClient::new(true, &self.0);
        let client = client.or_else(|error| match self.0.ca {
            // Without any certificates plain HTTP still works.
            None => HttpClient::new(false, &self.0),
            Some(_) => Err(error),
        });
        match client {
            Ok(client) => Ok(Client::new(Service(client))),
            Err(error) => Err(Error::Generic { store: "S3", source: error.into() }),
        }
    }
}

#[derive(Debug)]
struct Service(HttpClient);

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await?.to_bytes();
        let request = hyper::Request::from_parts(parts, body.into());
        let silent = |_| HttpError::new(HttpErrorKind::Timeout, std::io::Error::other(NO_ANSWER));
        let answer = timeout(SILENCE, self.0.request(request)).await.map_err(silent)?;
        let answer = answer.map_err(|error| {
            let kind = match error.is_connect() {
                true => HttpErrorKind::Connect,
                false => HttpErrorKind::Interrupted,
            };
            HttpError::new(kind, error)
        })?;
        // Answers are parts of objects and pages of listings: whole, so that one that is cut is asked for again.
        let (parts, body) = answer.into_parts();
        let body = timeout(WHOLE, body.collect()).await.map_err(silent)?;
        let body = body.map_err(|error| HttpError::new(HttpErrorKind::Interrupted, error))?;
        Ok(HttpResponse::from_parts(parts, body.to_bytes().into()))
    }
}

const NO_ANSWER: &str = "the server does not answer";

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::net::TcpListener;

    use super::*;

    /// A server with one answer to everything.
    fn server(status: u16, body: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let (mut length, mut line) = (0, String::new());
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                    let lower = line.to_lowercase();
                    if let Some(value) = lower.strip_prefix("content-length:") {
                        length = value.trim().parse().unwrap();
                    }
                    line.clear();
                }
                let _ = reader.take(length).read_to_end(&mut Vec::new());
                let head = format!(
                    "HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}",
                    body.len()
                );
                let _ = write!(stream, "{head}\r\n\r\n{body}");
            }
        });
        address
    }

    #[tokio::test]
    async fn the_usual_mistakes_are_told_in_a_sentence() {
        for (status, code, told) in [
            (404, "NoSuchBucket", "there is no such bucket"),
            (403, "InvalidAccessKeyId", "the access key is not known there"),
            (403, "SignatureDoesNotMatch", "the secret key is wrong"),
            (403, "RequestTimeTooSkewed", "this machine's clock"),
            (400, "AuthorizationHeaderMalformed", "the region is wrong"),
            (301, "PermanentRedirect", "the region is wrong"),
            (403, "AccessDenied", "the key may not do that there"),
            (404, "ContainerNotFound", "there is no such container"),
            (403, "AuthenticationFailed", "the account's key is wrong: see AZURE"),
            (403, "AuthorizationPermissionMismatch", "the key may not do that there"),
            (401, "AuthenticationRequired", "see GOOGLE_SERVICE_ACCOUNT"),
            (418, "Teapot", "Teapot"),
        ] {
            let body = format!("<?xml version=\"1.0\"?><Error><Code>{code}</Code></Error>");
            let settings = Settings {
                endpoint: Some(server(status, body.leak())),
                ..Settings::at("s3://b/p")
            };
            let keys = AmazonS3Builder::new()
                .with_access_key_id("key")
                .with_secret_access_key("very-secret-key");
            let bucket = Bucket::with(keys, &settings).unwrap();
            let text = bucket.create("refs/a", b"").await.unwrap_err().to_string();
            assert!(text.contains(told), "{code}: {text}");
            assert!(!text.contains("very-secret-key"));
            assert!(bucket.read("refs/a").await.is_err(), "{code}");
        }
        let nowhere =
            Settings { endpoint: Some("http://127.0.0.1:1".into()), ..Settings::at("s3://b") };
        let bucket =
            Bucket::with(AmazonS3Builder::new().with_skip_signature(true), &nowhere).unwrap();
        let told = bucket.read("a").await.unwrap_err().to_string();
        assert!(told.starts_with("http://127.0.0.1:1 cannot be reached: "), "{told}");
        assert!(told.contains("refused") && told.contains("`endpoint`"), "{told}");
        for wrong in ["", "s3:///p", "s3://", "http://b", "bucket", "gs:b", "az://", "../b"] {
            let told = Settings::at(wrong).open().err().unwrap().to_string();
            assert!(told.contains("is not s3://BUCKET/PREFIX"), "{wrong}: {told}");
        }
    }
}
