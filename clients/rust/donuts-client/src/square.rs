//! A square of the board.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::MessageError;

/// A square such as `e4`: column `a` from the left, row `1` from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Square {
    column: u8,
    row: u8,
}

impl Square {
    /// The square in this column and row, both counted from 0 and below 9.
    pub fn new(column: u8, row: u8) -> Option<Self> {
        (column < 9 && row < 9).then_some(Square { column, row })
    }

    /// The square with this place in `layout` and `cells` of a board of `size` x `size`.
    pub fn from_index(index: usize, size: u8) -> Option<Self> {
        let (row, column) = (index / usize::from(size), index % usize::from(size));
        (row < usize::from(size)).then_some(Square {
            column: column as u8,
            row: row as u8,
        })
    }

    /// Its place in `layout` and `cells` of a board of `size` x `size`.
    pub fn index(self, size: u8) -> usize {
        usize::from(self.row) * usize::from(size) + usize::from(self.column)
    }

    /// Its column, from 0.
    pub fn column(self) -> u8 {
        self.column
    }

    /// Its row, from 0.
    pub fn row(self) -> u8 {
        self.row
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            char::from(b'a' + self.column),
            char::from(b'1' + self.row)
        )
    }
}

impl FromStr for Square {
    type Err = MessageError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match *name.as_bytes() {
            [column @ b'a'..=b'i', row @ b'1'..=b'9'] => Ok(Square {
                column: column - b'a',
                row: row - b'1',
            }),
            _ => Err(MessageError::Malformed(format!("{name:?} is no square"))),
        }
    }
}

impl TryFrom<String> for Square {
    type Error = MessageError;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        name.parse()
    }
}

impl From<Square> for String {
    fn from(square: Square) -> String {
        square.to_string()
    }
}
