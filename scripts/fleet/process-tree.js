import { readFileSync } from 'node:fs'

/** A process and those that it started, itself first. @param {number} pid @returns {number[]} */
export function listProcesses(pid) {
  return [pid, ...listChildren(pid).flatMap(listProcesses)]
}

/** @param {number} pid */
function listChildren(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // it ended meanwhile, or the system has no such list
  }
}
