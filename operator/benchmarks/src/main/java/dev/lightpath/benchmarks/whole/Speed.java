package dev.lightpath.benchmarks.whole;

import dev.lightpath.benchmarks.Arguments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Measures the whole operator: {@code operator/benchmarks/speed} starts it. */
@Command(name = "speed", mixinStandardHelpOptions = true, sortOptions = false)
public final class Speed implements Callable<Integer> {
    @Parameters(index = "0", hidden = true, description = "root of the checkout")
    private Path root = Path.of("");

    @Parameters(index = "1", hidden = true, description = "folder of the control plane's programs")
    private Path programs = Path.of("");

    @ArgGroup
    private What what = new What();

    @Option(names = "--quick", description = "a fifth of the repetitions")
    private boolean quick;

    @Option(names = "--warm-up", description = "faults that are not counted: ${DEFAULT-VALUE}")
    private int warmUp = 5;

    @Option(names = "--steady", paramLabel = "SECONDS", description = "at rest, to count writes: ${DEFAULT-VALUE}")
    private int steadySeconds = 30;

    @Option(names = "--port-base", description = "the first of ten ports: ${DEFAULT-VALUE}")
    private int base = 23_000;

    @Option(names = "--apart", description = "the control plane has a processor to itself")
    private boolean apart;

    @Option(names = "--workers", description = "searches run in a worker")
    private boolean workers;

    @Option(names = "--java", paramLabel = "OPTION", description = "a further option of the operator's JVM")
    private List<String> java = new ArrayList<>();

    @Option(names = "--keep", description = "logs stay")
    private boolean keep;

    /** What is measured. */
    private static final class What {
        @Option(
                names = "--sizes",
                paramLabel = "SIZE",
                split = ",",
                converter = SizeReader.class,
                description = "of 64, 1000, 4000, 10000, 16384 and both: 64,1000,10000,both")
        private List<Size> sizes =
                Stream.of("64", "1000", "10000", "both").map(Size::named).toList();

        @Option(names = "--hostile-namespace", description = "jobs beside a namespace that does what it can")
        private boolean hostile;

        @Option(names = "--searches", description = "jobs beside long searches")
        private boolean searches;

        @Option(names = "--light-json", description = "how soon pods are told of light that changed")
        private boolean light;

        private List<Size> sizes() {
            return hostile
                    ? List.of(Size.named("hostile"))
                    : searches ? List.of(Size.named("searches")) : light ? List.of(Size.named("light")) : sizes;
        }
    }

    private static final class SizeReader implements ITypeConverter<Size> {
        @Override
        public Size convert(String name) {
            try {
                return Size.named(name);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    public static void main(String[] arguments) {
        Arguments.run(new Speed(), arguments);
    }

    @Override
    public Integer call() throws IOException {
        for (Size size : what.sizes()) {
            Path folder = Files.createTempDirectory("lightpath-speed-" + size.name() + "-");
            say(size.name() + ": logs in " + folder);
            boolean measured = false;
            try (Site site =
                    new Site(quick ? size.quick() : size, root, programs, folder, base, apart, workers, java)) {
                try (Trial trial = new Trial(site, steadySeconds, warmUp)) {
                    System.out.print(tables(size, site, trial));
                    System.out.flush();
                    measured = true;
                }
            } catch (RuntimeException e) {
                say(size.name() + " is not measured: " + e);
            }
            if (measured && !keep) {
                remove(folder);
            }
        }
        return 0;
    }

    private static String tables(Size size, Site site, Trial trial) {
        if (size.isHostile()) {
            return new HostileTrial(site, trial).run();
        }
        if (size.isLight()) {
            try (LightFileTrial files = new LightFileTrial(site, trial)) {
                return files.run();
            }
        }
        return size.isSearches() ? new SearchTrial(site, trial).run() : trial.run();
    }

    public static void say(String what) {
        System.err.printf("%tT %s%n", System.currentTimeMillis(), what);
    }

    /** A folder with all that is in it. */
    public static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
