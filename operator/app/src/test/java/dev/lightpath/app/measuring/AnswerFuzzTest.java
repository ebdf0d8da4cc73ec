package dev.lightpath.app.measuring;

import dev.lightpath.fuzz.Fuzz;
import org.junit.jupiter.api.Test;

/** What answers where a fabric says that a Prometheus does. */
class AnswerFuzzTest {
    @Test
    void answers() throws Exception {
        Fuzz.read(
                "vector",
                Fuzz.texts("""
                        {"status": "success", "data": {"resultType": "vector", "result": [
                         {"metric": {"namespace": "team", "job_name": "llm"}, "value": [1790000000.1, "0.574"]},
                         {"metric": {"namespace": "team", "job_name": "b"}, "value": [1790000000.1, "NaN"]}]}}""", "{\"status\": \"error\", \"errorType\": \"bad_data\"}"),
                IllegalArgumentException.class,
                VectorReader::read);
    }
}
