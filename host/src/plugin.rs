//! The interfaces of a component, each looked up for itself: a file of the world `results` or `tools`
//! is loaded as well as one of `plugin`. For calls that block and, in `asynchronous`, for those that are
//! awaited.

use wasmtime::AsContextMut;
use wasmtime::component::{Instance, InstancePre};

use super::bindings::exports::weir::plugin::{
    info, json, maintenance, model_tools, reading, result_transform, settings, tool_search,
};
use crate::error::NotExported;

macro_rules! interfaces {
    ($($name:ident: $word:literal,)*) => {
        /// Where the exports of a component are: made once for each [`InstancePre`].
        #[derive(Clone)]
        pub struct PluginIndices {
            info: info::GuestIndices,
            json: json::GuestIndices,
            $($name: Option<$name::GuestIndices>,)*
        }

        /// The exports of one instance.
        pub struct Plugin {
            info: info::Guest,
            json: json::Guest,
            $($name: Option<$name::Guest>,)*
        }

        impl PluginIndices {
            /// Looks the interfaces up. `info` and `json` must be there, as in every world.
            ///
            /// # Errors
            /// When one of these two is missing, or no other is there.
            pub fn new<T>(pre: &InstancePre<T>) -> wasmtime::Result<PluginIndices> {
                let found = PluginIndices {
                    info: info::GuestIndices::new(pre)?,
                    json: json::GuestIndices::new(pre)?,
                    $($name: export(pre, $word, $name::GuestIndices::new)?,)*
                };
                let results = found.result_transform.is_some();
                if results == found.reading.is_some() && (results || found.tool_search.is_some()) {
                    return Ok(found);
                }
                Err(wasmtime::Error::msg("it exports neither the world `results` nor `tools`"))
            }

            /// The exports of an instance.
            ///
            /// # Errors
            /// When the instance is of another component.
            pub fn load(
                &self,
                mut store: impl AsContextMut,
                instance: &Instance,
            ) -> wasmtime::Result<Plugin> {
                Ok(Plugin {
                    info: self.info.load(&mut store, instance)?,
                    json: self.json.load(&mut store, instance)?,
                    $($name: match &self.$name {
                        Some(indices) => Some(indices.load(&mut store, instance)?),
                        None => None,
                    },)*
                })
            }
        }

        impl Plugin {
            /// The interface `info`.
            pub fn info(&self) -> &info::Guest {
                &self.info
            }

            /// The interface `json`.
            pub fn json(&self) -> &json::Guest {
                &self.json
            }

            $(
                #[doc = concat!("The interface `", $word, "`.")]
                ///
                /// # Errors
                /// When this file of the component does not export it.
                pub fn $name(&self) -> wasmtime::Result<&$name::Guest> {
                    self.$name.as_ref().ok_or_else(|| NotExported($word).into())
                }
            )*
        }
    };
}

interfaces! {
    settings: "settings",
    result_transform: "result-transform",
    reading: "reading",
    model_tools: "model-tools",
    maintenance: "maintenance",
    tool_search: "tool-search",
}

/// An interface that may be missing; one that is there must be what the contract says.
fn export<T, G>(
    pre: &InstancePre<T>,
    word: &str,
    indices: impl FnOnce(&InstancePre<T>) -> wasmtime::Result<G>,
) -> wasmtime::Result<Option<G>> {
    let name = format!("weir:plugin/{word}@0.3.0");
    match pre.component().get_export_index(None, &name) {
        Some(_) => indices(pre).map(Some),
        None => Ok(None),
    }
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plugin").finish_non_exhaustive()
    }
}

impl std::fmt::Debug for PluginIndices {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PluginIndices").finish_non_exhaustive()
    }
}
