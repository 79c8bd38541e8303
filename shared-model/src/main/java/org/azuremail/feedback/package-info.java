/**
 * Reports of providers and mail servers about emails after they were sent: bounces, complaints, and that they were accepted at
 * all.
 */
@NullMarked
package org.azuremail.feedback;

import org.jspecify.annotations.NullMarked;
