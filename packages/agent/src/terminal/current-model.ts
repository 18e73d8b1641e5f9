import type { Model } from '../models/model.ts'

/** A model that can be exchanged for another between two requests. */
export interface CurrentModel {
  readonly model: Model
  readonly exchange: (next: Model) => void
}

/** Stands for a model until it is exchanged. */
export function currentModel(first: Model): CurrentModel {
  let now = first
  return {
    model: {
      get name() {
        return now.name
      },
      get contextWindow() {
        return now.contextWindow
      },
      get authenticated() {
        return now.authenticated ?? false
      },
      stream: (request) => now.stream(request),
    },
    exchange: (next) => {
      now = next
    },
  }
}
