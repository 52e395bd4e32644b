//! x
pub struct Component;
