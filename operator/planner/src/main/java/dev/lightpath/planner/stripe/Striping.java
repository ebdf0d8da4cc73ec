package dev.lightpath.planner.stripe;

/**
 * A search for the striping of most of a request's circuits, with all that decides its outcome.
 *
 * @param steps of the search, at most
 */
public record Striping(StripingRequest request, long steps) {

    /** As {@link Striper#stripeMost} answers with the first seed. */
    public Striper.Partial most() {
        return Striper.stripeMost(request, new SearchBudget(steps, 1, () -> false));
    }
}
