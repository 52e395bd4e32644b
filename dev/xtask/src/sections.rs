//! Custom sections of a component: appended, or taken out.
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

/// The component without its own sections of this name; those of what is inside stay.
///
/// `None` when the bytes are no sequence of sections.
pub(crate) fn without(bytes: &[u8], name: &str) -> Option<Vec<u8>> {
    let (header, mut rest) = bytes.split_at_checked(8)?;
    let mut kept = header.to_vec();
    while let Some((&kind, after)) = rest.split_first() {
        let (length, content) = read_number(after)?;
        let (content, next) = content.split_at_checked(length)?;
        let is_named = kind == 0 && {
            let (length, text) = read_number(content)?;
            text.get(..length)? == name.as_bytes()
        };
        if !is_named {
            kept.extend_from_slice(&rest[..rest.len() - next.len()]);
        }
        rest = next;
    }
    Some(kept)
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

/// A number in LEB128, and what follows it.
fn read_number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let end = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let (digits, rest) = bytes.split_at(end);
    let number = digits.iter().rev().fold(0, |number, byte| number << 7 | usize::from(byte & 0x7f));
    Some((number, rest))
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

    #[test]
    fn sections_of_a_name_are_taken_out_and_the_others_stay_as_they_are() {
        let mut bytes = b"\0asm\x0d\0\x01\0".to_vec();
        text(&mut bytes, "names", &"x".repeat(300));
        let from = bytes.len();
        text(&mut bytes, "kept", "names");
        bytes.extend([7, 1, 0]);
        let mut wanted = bytes[..8].to_vec();
        wanted.extend_from_slice(&bytes[from..]);
        assert_eq!(without(&bytes, "names"), Some(wanted));
        assert_eq!(without(&bytes, "none"), Some(bytes.clone()));
        assert_eq!(without(&bytes[..bytes.len() - 1], "names"), None);
    }
}
