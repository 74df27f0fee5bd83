/** The object id of a commit or a tree. */
export type Sha = string;
