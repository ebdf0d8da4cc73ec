package dev.lightpath.app.driver;

import java.time.Duration;

/**
 * Timings of tests: nothing is given up soon, and what is tried again is tried at once. A test names what it is about.
 */
final class PatientTimings {
    private Duration silence = Duration.ofSeconds(30);
    private Duration firstRetry = Duration.ofMillis(10);
    private Duration lastRetry = Duration.ofMillis(100);
    private Duration ask = Duration.ofSeconds(10);
    private Duration apply = Duration.ofSeconds(60);
    private Duration settle = Duration.ofMillis(200);
    private Duration recheck = Duration.ofMillis(100);

    PatientTimings silence(Duration next) {
        silence = next;
        return this;
    }

    PatientTimings firstRetry(Duration next) {
        firstRetry = next;
        return this;
    }

    PatientTimings lastRetry(Duration next) {
        lastRetry = next;
        return this;
    }

    PatientTimings ask(Duration next) {
        ask = next;
        return this;
    }

    PatientTimings apply(Duration next) {
        apply = next;
        return this;
    }

    PatientTimings settle(Duration next) {
        settle = next;
        return this;
    }

    PatientTimings recheck(Duration next) {
        recheck = next;
        return this;
    }

    FleetTimings timings() {
        return new FleetTimings(
                Duration.ofMillis(50),
                silence,
                firstRetry,
                lastRetry,
                ask,
                apply,
                Duration.ofSeconds(3),
                settle,
                recheck);
    }
}
