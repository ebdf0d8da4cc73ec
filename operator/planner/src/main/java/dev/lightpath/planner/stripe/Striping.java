package dev.lightpath.planner.stripe;

/**
 * A search for the striping of most of a request's circuits, with all that decides its outcome.
 *
 * @param steps of the search, at most
 */
public record Striping(StripingRequest request, long steps) {
    /** About as many as this and its answer take: linear in circuits, but for four of every two pods. */
    public long bytes() {
        long pods = request.topology().pods();
        long before = request.previous().stream()
                .mapToLong(of -> of.circuits().size())
                .sum();
        return 256
                + 4 * pods * pods
                + 64 * before
                + 32 * request.topology().circuits()
                + 80L * request.unusable().size();
    }

    /** As {@link Striper#stripeMost} answers with the first seed. */
    public Striper.Partial most() {
        return Striper.stripeMost(request, new SearchBudget(steps, 1, () -> false));
    }
}
