package dev.lightpath.app.measuring;

/**
 * What the query of a fabric tells of a job.
 *
 * @param fabric whose query it is
 * @param seconds of an iteration: a decimal, or another number as Prometheus writes it ({@code NaN})
 */
public record QueriedTime(String fabric, String seconds) {}
