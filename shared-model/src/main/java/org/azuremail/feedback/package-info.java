/**
 * Reports about emails that were sent: bounces, complaints, and providers' confirmations that they accepted an email.
 */
@NullMarked
package org.azuremail.feedback;

import org.jspecify.annotations.NullMarked;
