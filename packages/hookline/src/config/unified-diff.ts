// Loaded when a diff is shown; through this file, so that nothing else of the package comes into the bundle.
export { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
