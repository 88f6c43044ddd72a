/** Form of the ids that agents assign to runs and sweeps, and writers to notes. A text in any other form is no id. */
export const ID_FORM = /^[0-9a-z]{10}$/;
