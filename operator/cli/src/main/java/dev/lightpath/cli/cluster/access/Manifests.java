package dev.lightpath.cli.cluster.access;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.lightpath.reading.ApiJson;
import org.yaml.snakeyaml.LoaderOptions;

/** Reading of files with objects of a cluster, in YAML or JSON. JSON is YAML. */
public final class Manifests {
    /** Characters of a file: a backup holds every record of a cluster. By default the parser ends at three million. */
    private static final int LONGEST_FILE = 256 << 20;

    private Manifests() {}

    /** Reads whatever the API server has taken, and refuses a key that comes twice. */
    public static ObjectMapper mapper() {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(LONGEST_FILE);
        return ApiJson.generous(
                YAMLMapper.builder(YAMLFactory.builder().loaderOptions(options).build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        // an empty document is nothing; a factory of one's own does not say so by default
                        .enable(YAMLParser.Feature.EMPTY_STRING_AS_NULL)
                        .build());
    }
}
