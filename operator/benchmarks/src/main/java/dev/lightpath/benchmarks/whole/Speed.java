package dev.lightpath.benchmarks.whole;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Measures the whole operator: {@code operator/benchmarks/speed} starts it. */
public final class Speed {
    private static final String USAGE =
            "speed [--sizes 64,1000,10000,both] [--port-base 23000] [--steady SECONDS] [--warm-up FAULTS] [--quick] [--hostile-namespace] [--searches [--workers]] [--light-json] [--apart] [--keep] [--java OPTION]...";

    private Speed() {}

    /**
     * @param arguments root of the checkout, folder of the control plane's programs, then the options of {@link #USAGE}
     */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        Path programs = Path.of(arguments[1]);
        String sizes = "64,1000,10000,both";
        int base = 23_000;
        int steadySeconds = 30;
        int warmUp = 5;
        boolean keep = false;
        boolean quick = false;
        boolean apart = false;
        boolean workers = false;
        List<String> java = new ArrayList<>();
        for (int i = 2; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--sizes" -> sizes = arguments[++i];
                case "--port-base" -> base = Integer.parseInt(arguments[++i]);
                case "--steady" -> steadySeconds = Integer.parseInt(arguments[++i]);
                case "--warm-up" -> warmUp = Integer.parseInt(arguments[++i]);
                case "--java" -> java.add(arguments[++i]);
                case "--quick" -> quick = true;
                case "--hostile-namespace" -> sizes = "hostile";
                case "--searches" -> sizes = "searches";
                case "--light-json" -> sizes = "light";
                case "--workers" -> workers = true;
                case "--apart" -> apart = true;
                case "--keep" -> keep = true;
                default -> {
                    System.err.println("unknown argument " + arguments[i] + "; usage: " + USAGE);
                    System.exit(2);
                }
            }
        }
        List<Size> all;
        try {
            all = Size.all(sizes);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        for (Size size : all) {
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
        // the client's threads would live on for a while
        System.exit(0);
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
