//! Who we are to a registry: what `docker login`, `podman login` and `skopeo login` keep, and the tokens
//! that are had for it.

use docker_credential::{CredentialRetrievalError, DockerCredential};

/// A name and a password.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Login {
    /// The login to a registry, where one is kept: in docker's file, else in podman's and skopeo's.
    pub(super) fn of(host: &str) -> Option<Login> {
        let usable = |found: Result<DockerCredential, CredentialRetrievalError>| match found {
            Ok(DockerCredential::UsernamePassword(user, password)) => {
                Some(Login { user, password })
            }
            _ => None,
        };
        usable(docker_credential::get_credential(host))
            .or_else(|| usable(docker_credential::get_podman_credential(host)))
    }
}
