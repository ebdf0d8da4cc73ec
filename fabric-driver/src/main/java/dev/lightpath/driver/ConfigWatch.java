package dev.lightpath.driver;

import dev.lightpath.driver.config.ConfigException;
import dev.lightpath.driver.config.DriverConfig;
import dev.lightpath.driver.config.DriverConfigReader;
import dev.lightpath.driver.server.RunningDriver;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads driver.yaml again and again, and passes changed rules on to the driver. Other fields need a restart. */
final class ConfigWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigWatch.class);
    private static final long RELOAD_SECONDS = 5;

    private final Path file;
    private final RunningDriver driver;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("driver-config").daemon(true).factory());
    private DriverConfig known;
    private String toldProblem = "";

    ConfigWatch(Path file, DriverConfig config, RunningDriver driver) {
        this.file = file;
        this.known = config;
        this.driver = driver;
        var unused = timer.scheduleWithFixedDelay(this::look, RELOAD_SECONDS, RELOAD_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            DriverConfig now = DriverConfigReader.read(file);
            toldProblem = "";
            if (!now.equals(known)) {
                take(now);
            }
        } catch (ConfigException unusable) {
            String problem = String.valueOf(unusable.getMessage());
            if (!problem.equals(toldProblem)) {
                toldProblem = problem;
                LOG.atWarn()
                        .addKeyValue("problem", problem)
                        .log("changed configuration cannot be used; the old one is");
            }
        } catch (RuntimeException bug) {
            LOG.atError().setCause(bug).log("configuration not read again");
        }
    }

    private void take(DriverConfig now) {
        DriverConfig before = known;
        known = now;
        if (before.tls().isPresent() && now.tls().isPresent()) {
            driver.admit(now.tls().get().roles());
            LOG.atInfo().addKeyValue("rules", now.tls().get().roles().size()).log("rules read again");
        }
        if (!now.withRulesOf(before).equals(before)) {
            LOG.atWarn().log("only tls.roles is taken from a changed configuration; restart the driver for the rest");
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
