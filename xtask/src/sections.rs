//! Custom sections, appended to a component.
//!
//! Their names are those that `wasm-tools metadata` reads and writes; see the tool conventions of
//! WebAssembly and the annotations of OCI images.

/// The name of the component.
pub(crate) fn component_name(bytes: &mut Vec<u8>, name: &str) {
    let mut subsection = Vec::new();
    string(&mut subsection, name);
    // Subsection 0 is the name of the component itself.
    let mut data = vec![0];
    number(&mut data, subsection.len());
    data.extend(subsection);
    custom(bytes, "component-name", &data);
}

/// A section that is a text.
pub(crate) fn text(bytes: &mut Vec<u8>, name: &str, text: &str) {
    custom(bytes, name, text.as_bytes());
}

/// A section with some content.
pub(crate) fn custom(bytes: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut data = Vec::new();
    string(&mut data, name);
    data.extend_from_slice(content);
    bytes.push(0);
    number(bytes, data.len());
    bytes.extend(data);
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len());
    bytes.extend_from_slice(text.as_bytes());
}

/// A number in LEB128, seven bits a byte.
fn number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_its_number_its_length_its_name_and_its_content() {
        let mut bytes = Vec::new();
        text(&mut bytes, "ab", "c");
        assert_eq!(bytes, [0, 4, 2, b'a', b'b', b'c']);

        let mut bytes = Vec::new();
        component_name(&mut bytes, "x");
        assert_eq!(bytes[..2], [0, 19]);
        assert_eq!(bytes[17..], [0, 2, 1, b'x']);
    }

    #[test]
    fn long_lengths_take_several_bytes() {
        let mut bytes = Vec::new();
        custom(&mut bytes, "", &[7; 299]);
        assert_eq!(bytes[..4], [0, 0xac, 0x02, 0]);
        assert_eq!(bytes.len(), 3 + 300);
    }
}
