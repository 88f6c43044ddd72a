/** Two ends and a packet between them. */
export function Mark() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
    >
      <path d="M2 2v12M14 2v12M2 5l12 3M14 10 2 12.5" />
    </svg>
  );
}
