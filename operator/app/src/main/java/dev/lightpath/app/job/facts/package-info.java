/** What is known of a job at one moment: values, read elsewhere. */
@NullMarked
package dev.lightpath.app.job.facts;

import org.jspecify.annotations.NullMarked;
