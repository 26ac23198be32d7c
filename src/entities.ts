/** Every entity of the model: the application and the migration commands read the same list. */
export const entities = [];
