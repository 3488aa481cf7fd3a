/** Is told what runs in the background. */
export interface JobWatch {
  began(): void
  /** `next` is when it begins again. */
  ended(result: { readonly failed?: boolean; readonly says?: string | undefined; readonly next: Date }): void
}

export const UNWATCHED: JobWatch = { began() {}, ended() {} }
