//! Where rows are, and what they are.

pub(in crate::fetch) use crate::content::json::WHOLE_MAX_BYTES;

/// What the rows are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fetch) enum Shape {
    /// One value: all of it.
    Document,
    /// The items of an array.
    Items,
    /// The items of an array that are arrays: each as an object, by the names of columns beside it.
    Named,
    /// The members of an object, each as a key and a value.
    Members,
    /// JSON values, one a line.
    JsonLines,
    /// The rows of a table, each as an object.
    Table,
    /// Lines, each as a string.
    Lines,
}

impl Shape {
    pub(super) const ALL: [(Shape, char); 7] = [
        (Shape::Document, 'd'),
        (Shape::Items, 'i'),
        (Shape::Named, 'n'),
        (Shape::Members, 'm'),
        (Shape::JsonLines, 'j'),
        (Shape::Table, 't'),
        (Shape::Lines, 'l'),
    ];

    fn letter(self) -> char {
        Shape::ALL.iter().find(|(shape, _)| *shape == self).map_or('d', |(_, letter)| *letter)
    }
}

/// Where to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fetch) struct Place {
    /// What the rows are.
    pub(in crate::fetch) shape: Shape,
    /// The byte at which the next row, or what stands before it, starts.
    pub(in crate::fetch) byte: u64,
    /// The number of the next row, from 1.
    pub(in crate::fetch) row: u64,
    /// The byte at which the names of columns stand, where they stand beside the rows.
    pub(in crate::fetch) names: u64,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.shape.letter(), self.byte, self.row)?;
        match self.shape {
            Shape::Named => write!(f, ":{}", self.names),
            _ => Ok(()),
        }
    }
}

impl Place {
    pub(in crate::fetch) fn parse(text: &str) -> Option<Place> {
        let mut parts = text.split(':');
        let letter = parts.next()?;
        let (shape, _) = Shape::ALL.into_iter().find(|(_, sign)| letter.chars().eq([*sign]))?;
        let byte = parts.next()?.parse().ok()?;
        let row = parts.next()?.parse().ok()?;
        let names = match shape {
            Shape::Named => parts.next()?.parse().ok()?,
            _ => 0,
        };
        parts.next().is_none().then_some(Place { shape, byte, row, names })
    }
}
