//! What a file is before anything compiles it: WebAssembly, a component, ours, of this contract.

use wasmparser::{ComponentType, ComponentTypeDeclaration, Encoding, Parser, Payload};

use crate::error::Error;

/// The contract's package.
const PACKAGE: &str = "weir:plugin";
/// The version of the contract that this library calls.
const VERSION: [u64; 3] = [0, 3, 0];

/// What a component's file says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileDescription {
    /// The names of what it exports, in its order.
    pub exports: Vec<String>,
    /// The names of the interfaces and worlds that it defines without exporting them: a WIT package has nothing else.
    pub defines: Vec<String>,
    /// The names of what the components inside of it export: of one that is composed of several.
    pub holds: Vec<String>,
}

impl FileDescription {
    /// Reads a file's structure. Nothing is compiled.
    ///
    /// # Errors
    /// [`Error::ForeignComponent`] when it is not a component, or not a whole one.
    pub fn of(bytes: &[u8]) -> Result<FileDescription, Error> {
        describe(bytes).map_err(foreign)
    }

    /// The contract that the file keeps, as in `weir:plugin@0.3.0`. That every function is there and of its
    /// type shows when it is loaded.
    ///
    /// # Errors
    /// [`Error::ForeignComponent`], with what the file is instead.
    pub fn contract(&self) -> Result<String, Error> {
        self.kept_contract().map_err(foreign)
    }

    /// The contract that the file is, in the binary form of a WIT package: it describes components and cannot be run.
    ///
    /// # Errors
    /// [`Error::ForeignComponent`], with what the file is instead.
    pub fn wit_package(&self) -> Result<String, Error> {
        if self.exports.iter().any(|name| name.contains(':')) {
            return Err(foreign("it is a component, not a WIT package".into()));
        }
        contract(&self.defines, "it is a WIT package without").map_err(foreign)
    }

    /// The contract of a component inside of the file, which is composed of several for another host, as
    /// `weir-middleware.wasm` is: it cannot be run by itself here.
    ///
    /// # Errors
    /// [`Error::ForeignComponent`], with what the file is instead.
    pub fn composed(&self) -> Result<String, Error> {
        if self.exports.iter().any(|name| version_of(name).is_some()) {
            return Err(foreign("it is a component by itself".into()));
        }
        contract(&self.holds, "it is a component that exports").map_err(foreign)
    }

    fn kept_contract(&self) -> Result<String, String> {
        match self.wit_package() {
            Ok(package) => Err(format!(
                "it is the contract {package} as a WIT package, not a component; get the file weir.wasm of the same \
                 release"
            )),
            Err(_) => contract(&self.exports, "it is a component that exports"),
        }
    }
}

/// The contract of a component's file.
///
/// # Errors
/// As [`FileDescription::of`] and [`FileDescription::contract`].
pub fn contract_of(bytes: &[u8]) -> Result<String, Error> {
    FileDescription::of(bytes)?.contract()
}

fn foreign(reason: String) -> Error {
    Error::ForeignComponent { source: wasmtime::Error::msg(reason) }
}

fn describe(bytes: &[u8]) -> Result<FileDescription, String> {
    if !bytes.starts_with(b"\0asm") {
        return Err("it is not WebAssembly".into());
    }
    let cut = |error: wasmparser::BinaryReaderError| {
        format!("it is truncated or damaged: {}", error.message())
    };
    let mut depth = 0;
    let mut found = FileDescription::default();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload.map_err(cut)? {
            Payload::Version { encoding, .. } => {
                if depth == 0 && encoding == Encoding::Module {
                    return Err("it is a core module, not a component".into());
                }
                depth += 1;
            }
            Payload::End(_) => depth -= 1,
            Payload::ComponentExportSection(exports) if depth < 3 => {
                let names = if depth == 1 { &mut found.exports } else { &mut found.holds };
                for export in exports {
                    names.push(export.map_err(cut)?.name.name.to_owned());
                }
            }
            Payload::ComponentTypeSection(types) if depth == 1 => {
                for one in types {
                    let ComponentType::Component(inside) = one.map_err(cut)? else { continue };
                    found.defines.extend(inside.iter().filter_map(|declared| match declared {
                        ComponentTypeDeclaration::Export { name, .. } => Some(name.name.to_owned()),
                        _ => None,
                    }));
                }
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The contract of these names; `otherwise` begins the sentence when there is none of ours.
fn contract(names: &[String], otherwise: &str) -> Result<String, String> {
    let versions = || names.iter().filter_map(|name| version_of(name));
    let text = |[major, minor, patch]: [u64; 3]| format!("{PACKAGE}@{major}.{minor}.{patch}");
    // One that can be called counts, whatever else is there.
    match versions().find(|version| is_compatible(*version)).or_else(|| versions().next()) {
        None => Err(format!("{otherwise} no interface of {PACKAGE}")),
        Some(version) if is_compatible(version) => Ok(text(version)),
        Some(version) if version < VERSION => Err(format!(
            "it is of the older contract {}; get the component that belongs to this version of weir",
            text(version)
        )),
        Some(version) => Err(format!(
            "it is of the newer contract {}; use a version of weir that knows it",
            text(version)
        )),
    }
}

/// The version in the name of one of our interfaces, as in `weir:plugin/info@0.3.0`.
fn version_of(name: &str) -> Option<[u64; 3]> {
    let (_, version) = name.strip_prefix(PACKAGE)?.strip_prefix('/')?.split_once('@')?;
    // Of a version such as 0.3.0-rc.1 the numbers are enough.
    let version = version.split(['-', '+']).next()?;
    let mut numbers = version.split('.').map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next()??])
}

/// Whether what this library calls is there: wasmtime looks exports up by compatible versions.
fn is_compatible([major, minor, _]: [u64; 3]) -> bool {
    [major, minor] == VERSION[..2]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A component that exports an empty instance under this name.
    fn exporting(name: &str) -> Vec<u8> {
        let mut bytes = b"\0asm\x0d\0\x01\0".to_vec();
        // An instance of no exports, then its export.
        bytes.extend([5, 3, 1, 1, 0]);
        let mut section = vec![1, 0, u8::try_from(name.len()).unwrap()];
        section.extend(name.as_bytes());
        section.extend([5, 0, 0]);
        bytes.extend([11, u8::try_from(section.len()).unwrap()]);
        bytes.extend(section);
        bytes
    }

    fn examine(bytes: &[u8]) -> Result<String, String> {
        describe(bytes)?.kept_contract()
    }

    /// A WIT package that defines an empty interface under this name.
    fn defining(name: &str) -> Vec<u8> {
        // A component type: an instance of no exports, then its export.
        let mut inside = vec![1, 0x41, 2, 1, 0x42, 0, 4, 1, u8::try_from(name.len()).unwrap()];
        inside.extend(name.as_bytes());
        inside.extend([5, 0]);
        let mut bytes = b"\0asm\x0d\0\x01\0\x07".to_vec();
        bytes.push(u8::try_from(inside.len()).unwrap());
        bytes.extend(inside);
        // The type, exported under its short name.
        bytes.extend(b"\x0b\x07\x01\0\x01x\x03\0\0");
        bytes
    }

    #[test]
    fn the_contract_as_a_wit_package_is_told_from_a_component() {
        let described = |name: &str| describe(&defining(name)).unwrap();
        let package = described("weir:plugin/info@0.3.0");
        assert_eq!(package.wit_package().unwrap(), "weir:plugin@0.3.0");
        let error = package.kept_contract().unwrap_err();
        assert!(error.contains("as a WIT package, not a component; get"), "{error}");
        for (name, said) in [
            ("weir:plugin/info@0.1.0", "older contract weir:plugin@0.1.0"),
            ("wasi:cli/run@0.2.0", "a WIT package without"),
        ] {
            let error = described(name).wit_package().unwrap_err().with_causes();
            assert!(error.contains(said), "{error}");
        }
        let component = describe(&exporting("weir:plugin/info@0.3.0")).unwrap();
        let error = component.wit_package().unwrap_err().with_causes();
        assert!(error.contains("a component, not a WIT package"), "{error}");
    }

    #[test]
    fn a_composition_is_told_by_the_component_inside() {
        let around = |name: &str| {
            let inside = exporting(name);
            let mut bytes = b"\0asm\x0d\0\x01\0\x04".to_vec();
            bytes.push(u8::try_from(inside.len()).unwrap());
            bytes.extend(inside);
            bytes
        };
        let composed =
            |bytes: &[u8]| describe(bytes).unwrap().composed().map_err(|error| error.with_causes());
        let ours = around("weir:plugin/info@0.3.0");
        assert_eq!(composed(&ours).unwrap(), "weir:plugin@0.3.0");
        assert!(examine(&ours).unwrap_err().contains("exports no interface of weir:plugin"));
        let error = composed(&around("wasi:cli/run@0.2.0")).unwrap_err();
        assert!(error.contains("exports no interface of weir:plugin"), "{error}");
        let error = composed(&exporting("weir:plugin/info@0.3.0")).unwrap_err();
        assert!(error.contains("by itself"), "{error}");
    }

    #[test]
    fn a_file_is_told_by_its_contract() {
        let good = exporting("weir:plugin/info@0.3.0");
        assert_eq!(examine(&good).unwrap(), "weir:plugin@0.3.0");
        assert_eq!(examine(&exporting("weir:plugin/x@0.3.7")).unwrap(), "weir:plugin@0.3.7");
        for (bytes, said) in [
            (exporting("weir:plugin/info@0.1.0"), "older contract weir:plugin@0.1.0"),
            (exporting("weir:plugin/info@0.2.0"), "older contract weir:plugin@0.2.0"),
            (exporting("weir:plugin/info@0.4.0-rc.1"), "newer contract weir:plugin@0.4.0"),
            (exporting("weir:plugin/info@1.0.0"), "newer contract weir:plugin@1.0.0"),
            (exporting("weir:plugins/info@0.3.0"), "exports no interface of weir:plugin"),
            (exporting("wasi:cli/run@0.2.0"), "exports no interface of weir:plugin"),
            (b"\0asm\x0d\0\x01\0".to_vec(), "exports no interface of weir:plugin"),
            (b"\0asm\x01\0\0\0".to_vec(), "a core module"),
            (b"\x7fELF".to_vec(), "not WebAssembly"),
            (Vec::new(), "not WebAssembly"),
        ] {
            let error = examine(&bytes).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        // Wherever it ends early: what is missing is said, and never that it is good.
        for end in 0..good.len() {
            let error = examine(&good[..end]).unwrap_err();
            let expected = match end {
                0..4 => "not WebAssembly",
                8 | 13 => "exports no interface",
                _ => "truncated",
            };
            assert!(error.contains(expected), "{end}: {error}");
        }
    }
}
